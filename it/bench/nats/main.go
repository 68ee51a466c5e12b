// Command objectstore is the NATS side of the comparison: it puts a file into a JetStream object store with file
// storage, or waits for one, gets it, and syncs it at its destination.
//
//	objectstore bucket URL NAME            makes the bucket
//	objectstore put    URL NAME FILE       puts the file, returns when the server has acknowledged everything
//	objectstore get    URL NAME DIR COUNT  waits for COUNT objects and leaves each in DIR, synced
//
// Every event is one JSON object on a line of standard output. The server acknowledges what it has written but not
// forced to its disk (sync_interval, two minutes by default): its promise is the weaker one.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// patience is long: a busy disk is part of what is measured, not an error.
const patience = 2 * time.Minute

func main() {
	if len(os.Args) < 4 {
		fail(fmt.Errorf("usage: objectstore bucket|put|get URL NAME ..."))
	}
	command, url, name, rest := os.Args[1], os.Args[2], os.Args[3], os.Args[4:]
	connection, err := nats.Connect(url)
	check(err)
	defer connection.Close()
	js, err := jetstream.New(connection, jetstream.WithDefaultTimeout(patience), jetstream.WithPublishAsyncTimeout(patience))
	check(err)
	ctx := context.Background()
	switch command {
	case "bucket":
		_, err = js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: name, Storage: jetstream.FileStorage})
		check(err)
		event("created", name, 0)
	case "put":
		put(ctx, js, name, rest[0])
	case "get":
		count, err := strconv.Atoi(rest[1])
		check(err)
		get(ctx, js, name, rest[0], count)
	default:
		fail(fmt.Errorf("unknown command %q", command))
	}
}

func put(ctx context.Context, js jetstream.JetStream, bucket, path string) {
	store, err := js.ObjectStore(ctx, bucket)
	check(err)
	file, err := os.Open(path)
	check(err)
	defer file.Close()
	stream, err := js.Stream(ctx, "OBJ_"+bucket)
	check(err)
	source := &paced{source: file, stream: stream, before: stream.CachedInfo().State.Bytes}
	info, err := store.Put(ctx, jetstream.ObjectMeta{Name: filepath.Base(path)}, source)
	check(err)
	event("stored", info.Name, info.Size)
}

// underWay is how far a put may be ahead of what the server has stored: half of what a server with its defaults takes
// before it refuses more (max_buffered_size, 128 MiB).
const underWay = 64 << 20

// paced reads a file no faster than the server stores it. Without it a put to a busy disk fails: the object store sends
// up to 4,000 chunks of 128 KiB ahead, and has no option for fewer.
type paced struct {
	source io.Reader
	stream jetstream.Stream
	before uint64 // bytes that the stream had before this object
	read   uint64
	stored uint64
}

func (p *paced) Read(chunk []byte) (int, error) {
	for p.read >= p.stored+underWay {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		info, err := p.stream.Info(ctx)
		cancel()
		if err != nil {
			return 0, err
		}
		p.stored = info.State.Bytes - p.before
		if p.read >= p.stored+underWay {
			time.Sleep(5 * time.Millisecond)
		}
	}
	count, err := p.source.Read(chunk)
	p.read += uint64(count)
	return count, err
}

func get(ctx context.Context, js jetstream.JetStream, bucket, directory string, count int) {
	store, err := js.ObjectStore(ctx, bucket)
	check(err)
	watcher := watch(ctx, store)
	event("ready", bucket, 0)
	for ; count > 0; count-- {
		info := next(watcher)
		length, err := fetch(ctx, store, info.Name, directory)
		check(err)
		event("delivered", info.Name, length)
		// A watcher that missed its heartbeats while the disk was busy may have stopped telling anything.
		check(watcher.Stop())
		watcher = watch(ctx, store)
		event("ready", bucket, 0)
	}
}

func watch(ctx context.Context, store jetstream.ObjectStore) jetstream.ObjectWatcher {
	watcher, err := store.Watch(ctx, jetstream.UpdatesOnly())
	check(err)
	return watcher
}

func next(watcher jetstream.ObjectWatcher) *jetstream.ObjectInfo {
	for info := range watcher.Updates() {
		if info != nil {
			return info
		}
	}
	fail(fmt.Errorf("the server ended the watch"))
	return nil
}

// fetch leaves the object under its name only when all of it is on the disk, directory entry included.
func fetch(ctx context.Context, store jetstream.ObjectStore, name, directory string) (uint64, error) {
	object, err := store.Get(ctx, name)
	if err != nil {
		return 0, err
	}
	defer object.Close()
	part, err := os.CreateTemp(directory, ".part-")
	if err != nil {
		return 0, err
	}
	defer part.Close()
	length, err := io.Copy(part, object)
	if err != nil {
		return 0, err
	}
	if err := object.Error(); err != nil {
		return 0, err
	}
	if err := part.Sync(); err != nil {
		return 0, err
	}
	if err := os.Rename(part.Name(), filepath.Join(directory, name)); err != nil {
		return 0, err
	}
	folder, err := os.Open(directory)
	if err != nil {
		return 0, err
	}
	defer folder.Close()
	return uint64(length), folder.Sync()
}

func event(kind, name string, bytes uint64) {
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{"event": kind, "name": name, "bytes": bytes}))
}

func check(err error) {
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "objectstore:", err)
	os.Exit(1)
}
