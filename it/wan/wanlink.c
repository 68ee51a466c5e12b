/*
 * wanlink - emulates a long fat network between sites, in user space.
 *
 * Purpose: benchmarks and tests need delay, loss, rate and queues on machines whose kernel has no netem. Each site is a
 * network namespace with one TUN device; this program reads what a site sends and writes it, later, to the site it is for.
 * The command `wan` beside this file makes the namespaces and starts it.
 *
 * Usage:
 *   wanlink run DIR PREFIX SITES SEED TURN [SETTING...]   opens a TUN in each namespace PREFIXa, PREFIXb, ... and goes to the
 *                                                         background; DIR gets `pid` and the socket `control`
 *   wanlink ask DIR COMMAND                               sends a command to it: `status` or a SETTING, and prints the answer
 *   SETTING is "SITE|all KEY=VALUE ...", keys as in settings[] below, or "SITE|all cut", "SITE|all heal"
 *
 * Model: an ideal core; each site has an uplink to it and a downlink from it.
 *
 *   site a --[queue|rate]--> core --[queue|rate|loss|delay]--> site b        (hub to leaf; a, the hub, has no loss and no delay)
 *
 * A link is a drop-tail queue in front of a line of a given rate, then random loss, then delay. The queue needs no memory of
 * its own: `free_at`, the time when the line will have sent all it was given, says how long a packet would wait.
 *
 * Offload: the kernel hands over TCP packets of up to 64 KiB with the headers of the first segment (GSO). Rate, queue and loss
 * take each MTU-sized segment by itself; runs of surviving neighbours go on as one packet. A packet carries the time of its
 * first segment and the span to its last, so that the second link sees segments come in one by one.
 *
 * Threads: one. Each link has one list of packets in the order of their time (a line does not reorder), so the next thing to
 * do is at the head of one of 2 x SITES lists. Between two turns it sleeps for TURN microseconds at least: fewer wake-ups, at
 * the price of this delay. With nothing under way it sleeps in ppoll until a packet or a command comes.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <malloc.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_SITES = 26,
    MAX_CUTS = 8,
    MAX_PACKET = 65535,
    MAX_TEXT = 16384,              /* a command or its answer */
    READS_PER_TURN = 256,          /* of one site, before others and deliveries have their turn */
    RUN_NS = 1000 * 1000,          /* segments that leave a line further apart are not delivered as one packet */
    KEEP_MEMORY = 32 << 20,        /* bytes */
    SUBNET = 10 << 24 | 210 << 16, /* 10.210.0.0/24 */
};
static const uint64_t NEVER = UINT64_MAX;
static const uint64_t SECOND = 1000000000;
static const uint64_t BUFFER_LIMIT = 256u << 20; /* bytes under way in all links; more is dropped as overflow */

struct packet {
    struct packet *next;
    uint64_t due;  /* when its first segment reaches the end of the link; at the last link: its last segment */
    uint64_t span; /* from its first segment to its last */
    int to;
    uint32_t length;           /* of the IP packet */
    struct virtio_net_hdr vnet; /* this and the IP packet are what the TUN device reads and writes */
    uint8_t ip[];
};
_Static_assert(offsetof(struct packet, ip) == offsetof(struct packet, vnet) + sizeof(struct virtio_net_hdr), "no gap");

struct link {
    double rate;          /* bit/s; 0: no limit */
    double loss;          /* 0 to 1 */
    uint64_t queue_ns;    /* the longest wait ... */
    double queue_bytes;   /* ... or, if not 0, the most bytes that wait */
    uint64_t delay;       /* ns */
    uint64_t random;      /* state of the generator */
    uint64_t free_at;     /* when the line will be idle */
    uint64_t packets, bytes, lost, overflow, cut;
    struct packet *head, *tail;
};

struct span {
    uint64_t from, to;
};

struct site {
    struct link up, down;
    struct span cuts[MAX_CUTS];
    int cut_count;
    uint64_t strange; /* packets to nowhere: not IPv4, or not to a site */
    uint64_t refused; /* packets the TUN device did not take */
};

static struct site sites[MAX_SITES];
static struct pollfd polled[MAX_SITES + 1]; /* a TUN per site, then the control socket */
static int site_count;
static uint64_t now, started, turn;
static uint64_t buffered;

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

static void die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("wan: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    exit(1);
}

static uint64_t clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* ---- packets and their segments ---- */

static struct packet *packet_new(uint32_t length) {
    if (buffered + sizeof(struct packet) + length > BUFFER_LIMIT) return NULL;
    struct packet *p = malloc(sizeof *p + length);
    if (!p) return NULL;
    p->length = length;
    buffered += sizeof *p + length;
    return p;
}

static void packet_free(struct packet *p) {
    buffered -= sizeof *p + p->length;
    free(p);
}

static bool is_super(const struct packet *p) {
    return p->vnet.gso_type == VIRTIO_NET_HDR_GSO_TCPV4 && p->vnet.gso_size > 0;
}

/* Where the TCP payload begins; 0 if the packet is too short to be what its header says. */
static uint32_t payload_offset(const struct packet *p) {
    uint32_t tcp = p->vnet.csum_start;
    if (tcp < sizeof(struct iphdr) || tcp + sizeof(struct tcphdr) > p->length) return 0;
    uint32_t offset = tcp + 4u * (p->ip[tcp + 12] >> 4);
    return offset < p->length ? offset : 0;
}

static uint32_t segment_count(const struct packet *p) {
    if (!is_super(p)) return 1;
    uint32_t payload = p->length - payload_offset(p);
    return (payload + p->vnet.gso_size - 1) / p->vnet.gso_size;
}

/* IP bytes of one segment. */
static uint32_t segment_length(const struct packet *p, uint32_t index) {
    if (!is_super(p)) return p->length;
    uint32_t headers = payload_offset(p);
    uint32_t rest = p->length - headers - index * p->vnet.gso_size;
    return headers + (rest < p->vnet.gso_size ? rest : p->vnet.gso_size);
}

static uint32_t sum16(const void *data, uint32_t length, uint32_t sum) {
    const uint8_t *b = data;
    for (uint32_t i = 0; i + 1 < length; i += 2) sum += (uint32_t)b[i] << 8 | b[i + 1];
    return sum;
}

static uint16_t fold(uint32_t sum) {
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    return htons((uint16_t)sum);
}

/* Makes the copied headers true for a run of segments: lengths, IP id, sequence number, flags and checksums. */
static void fix_headers(struct packet *p, uint32_t first, bool is_end) {
    struct iphdr ip;
    memcpy(&ip, p->ip, sizeof ip);
    ip.tot_len = htons((uint16_t)p->length);
    ip.id = htons((uint16_t)(ntohs(ip.id) + first));
    ip.check = 0;
    memcpy(p->ip, &ip, sizeof ip);
    ip.check = (uint16_t)~fold(sum16(p->ip, ip.ihl * 4u, 0));
    memcpy(p->ip, &ip, sizeof ip);

    uint8_t *at = p->ip + p->vnet.csum_start;
    struct tcphdr tcp;
    memcpy(&tcp, at, sizeof tcp);
    tcp.seq = htonl(ntohl(tcp.seq) + first * p->vnet.gso_size);
    if (first > 0) tcp.res2 &= 1; /* CWR is said by the first segment only; the other bit is ECE */
    if (!is_end) tcp.fin = tcp.psh = 0;
    /* NEEDS_CSUM: the field holds the sum of the pseudo header, the receiving kernel adds the rest if it needs to */
    uint32_t tcp_length = p->length - p->vnet.csum_start;
    tcp.check = fold(sum16(&ip.saddr, 8, IPPROTO_TCP + tcp_length));
    memcpy(at, &tcp, sizeof tcp);
}

/* A new packet of some segments of a super-packet; NULL if there is no room. */
static struct packet *packet_of_run(const struct packet *whole, uint32_t first, uint32_t count) {
    uint32_t headers = payload_offset(whole), size = whole->vnet.gso_size;
    uint32_t begin = headers + first * size, end = begin + count * size;
    bool is_end = end >= whole->length;
    if (is_end) end = whole->length;
    struct packet *p = packet_new(headers + end - begin);
    if (!p) return NULL;
    p->to = whole->to;
    p->vnet = whole->vnet;
    p->vnet.hdr_len = (uint16_t)headers; /* the kernel may have said more, which must not exceed a short run */
    memcpy(p->ip, whole->ip, headers);
    memcpy(p->ip + headers, whole->ip + begin, end - begin);
    fix_headers(p, first, is_end);
    if (count == 1) {
        p->vnet.gso_type = VIRTIO_NET_HDR_GSO_NONE;
        p->vnet.gso_size = 0;
    }
    return p;
}

/* ---- links ---- */

/* splitmix64: every seed is good, and one state word suffices */
static uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static bool is_cut(const struct site *s, uint64_t time) {
    for (int i = 0; i < s->cut_count; i++)
        if (time >= s->cuts[i].from && time < s->cuts[i].to) return true;
    return false;
}

static uint64_t longest_wait(const struct link *l) {
    return l->queue_bytes > 0 ? (uint64_t)(l->queue_bytes * 8e9 / l->rate) : l->queue_ns;
}

/* Passes one segment through queue, line and loss: when it has left the line, or NEVER. */
static uint64_t pass(const struct site *s, struct link *l, uint64_t time, uint32_t length) {
    /* drawn for each segment, whatever becomes of it: the fate of the n-th depends on the seed alone */
    bool unlucky = (double)(random_next(&l->random) >> 11) * 0x1p-53 < l->loss;
    if (is_cut(s, time)) {
        l->cut++;
        return NEVER;
    }
    uint64_t start = l->free_at > time ? l->free_at : time;
    if (l->rate > 0) {
        if (start - time > longest_wait(l)) {
            l->overflow++;
            return NEVER;
        }
        l->free_at = start + (uint64_t)(length * 8e9 / l->rate);
    } else {
        l->free_at = start = time;
    }
    if (unlucky) {
        l->lost++;
        return NEVER;
    }
    l->packets++;
    l->bytes += length;
    return l->free_at;
}

struct run {
    uint32_t first, count;
    uint64_t begin, end; /* when its first and last segment left the line */
};

static void append(struct link *l, struct packet *p) {
    /* a delay that was made shorter meanwhile must not let packets overtake */
    if (l->tail && p->due < l->tail->due) p->due = l->tail->due;
    p->next = NULL;
    if (l->tail) l->tail->next = p;
    else l->head = p;
    l->tail = p;
}

/* Sends a run on its way. Returns whether that was the whole packet, which then belongs to the link. */
static bool depart(struct site *s, struct link *l, struct packet *whole, const struct run *r) {
    if (r->count == 0) return false;
    bool is_whole = r->count == segment_count(whole);
    struct packet *p = is_whole ? whole : packet_of_run(whole, r->first, r->count);
    if (!p) {
        l->overflow += r->count;
        return false;
    }
    p->span = r->end - r->begin;
    p->due = (l == &s->down ? r->end : r->begin) + l->delay;
    append(l, p);
    return is_whole;
}

/* Takes a packet, whose first segment arrives at p->due, into a link. */
static void enter(struct site *s, struct link *l, struct packet *p) {
    uint32_t n = segment_count(p);
    bool taken = false;
    struct run run = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint64_t arrival = p->due + (n > 1 ? p->span * i / (n - 1) : 0);
        uint64_t left = pass(s, l, arrival, segment_length(p, i));
        if (run.count > 0 && (left == NEVER || left - run.begin > RUN_NS)) {
            depart(s, l, p, &run);
            run.count = 0;
        }
        if (left == NEVER) continue;
        if (run.count++ == 0) {
            run.first = i;
            run.begin = left;
        }
        run.end = left;
    }
    taken = depart(s, l, p, &run);
    if (!taken) packet_free(p);
}

static struct packet *remove_head(struct link *l) {
    struct packet *p = l->head;
    l->head = p->next;
    if (!l->head) l->tail = NULL;
    return p;
}

/* ---- what happens when ---- */

/* Reads a packet from the TUN device of a site into its uplink. Returns false if there is none. */
static bool read_packet(int from) {
    static struct {
        struct virtio_net_hdr vnet;
        uint8_t ip[MAX_PACKET];
    } buffer;
    struct site *s = &sites[from];
    ssize_t got = read(polled[from].fd, &buffer, sizeof buffer);
    if (got < 0) {
        if (errno != EAGAIN && errno != EINTR) polled[from].fd = -1; /* the device is gone; to poll it would not wait */
        return false;
    }
    ssize_t length = got - (ssize_t)sizeof buffer.vnet;
    uint32_t destination = 0;
    if (length >= (ssize_t)sizeof(struct iphdr)) memcpy(&destination, buffer.ip + 16, 4);
    uint32_t to = ntohl(destination) - SUBNET - 1;
    if (buffer.ip[0] >> 4 != 4 || to >= (uint32_t)site_count) {
        s->strange++;
        return true;
    }
    struct packet *p = packet_new((uint32_t)length);
    if (!p) {
        s->up.overflow++;
        return true;
    }
    memcpy(&p->vnet, &buffer, (size_t)got);
    if (is_super(p) && payload_offset(p) == 0) {
        s->strange++;
        packet_free(p);
        return true;
    }
    p->to = (int)to;
    p->due = now;
    p->span = 0;
    enter(s, &s->up, p);
    return true;
}

static void deliver(int to, struct packet *p) {
    if (write(polled[to].fd, &p->vnet, sizeof p->vnet + p->length) < 0) sites[to].refused++;
    packet_free(p);
}

/* The link with the earliest packet; NULL if nothing is under way. */
static struct link *earliest(int *site) {
    struct link *best = NULL;
    for (int i = 0; i < site_count; i++) {
        struct link *both[] = {&sites[i].up, &sites[i].down};
        for (int k = 0; k < 2; k++) {
            if (!both[k]->head || (best && best->head->due <= both[k]->head->due)) continue;
            best = both[k];
            *site = i;
        }
    }
    return best;
}

/* Does what is due, in the order of time. Returns when the next is due. */
static uint64_t run_due(void) {
    for (;;) {
        int site = 0;
        struct link *l = earliest(&site);
        if (!l) return NEVER;
        if (l->head->due > now) return l->head->due;
        struct packet *p = remove_head(l);
        if (l == &sites[site].down) deliver(site, p);
        else enter(&sites[p->to], &sites[p->to].down, p);
    }
}

/* ---- settings ---- */

static char answer[MAX_TEXT];

static bool fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(answer, sizeof answer, format, args);
    va_end(args);
    return false;
}

struct unit {
    const char *name;
    double factor;
};
static const struct unit TIMES[] = {{"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {NULL, 0}};
static const struct unit RATES[] = {{"bit", 1}, {"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}, {NULL, 0}};
static const struct unit SIZES[] = {{"b", 1}, {"kb", 1e3}, {"mb", 1e6}, {NULL, 0}};
static const struct unit SHARES[] = {{"%", 0.01}, {"", 1}, {NULL, 0}};

/* A number with one of the units; 0 needs none. */
static bool parse(const char *text, const struct unit *units, double *value) {
    char *end;
    double number = strtod(text, &end);
    if (end == text || !(number >= 0) || !(number < 1e15)) return false;
    if (number == 0 && !*end) {
        *value = 0;
        return true;
    }
    for (; units->name; units++) {
        if (strcmp(units->name, end) != 0) continue;
        *value = number * units->factor;
        return *value < 1e18; /* as nanoseconds it fits, with room to add */
    }
    return false;
}

enum { UP = 1, DOWN = 2 };

static void set_rate(struct link *l, double rate) {
    /* the bytes that wait stay, and take another time */
    if (l->free_at > now)
        l->free_at = rate > 0 ? now + (uint64_t)((double)(l->free_at - now) * l->rate / rate) : now;
    l->rate = rate;
}

static bool set_rates(struct site *s, int links, const char *value) {
    double rate;
    if (!parse(value, RATES, &rate)) return fail("bad rate '%s': say 500mbit, 1gbit, or 0 for no limit", value);
    if (rate > 0 && rate < 1000) return fail("bad rate '%s': at least 1kbit", value);
    if (links & UP) set_rate(&s->up, rate);
    if (links & DOWN) set_rate(&s->down, rate);
    return true;
}

static bool set_loss(struct site *s, int links, const char *value) {
    double loss;
    if (!parse(value, SHARES, &loss) || loss > 1) return fail("bad loss '%s': say 0.01%% or 1e-4", value);
    if (links & UP) s->up.loss = loss;
    if (links & DOWN) s->down.loss = loss;
    return true;
}

static bool set_rtt(struct site *s, int links, const char *value) {
    (void)links;
    double rtt;
    if (!parse(value, TIMES, &rtt) || rtt > 3600e9) return fail("bad rtt '%s': say 50ms or 1.5s", value);
    s->up.delay = (uint64_t)rtt / 2;
    s->down.delay = (uint64_t)rtt - s->up.delay;
    return true;
}

static bool set_queue(struct site *s, int links, const char *value) {
    (void)links;
    double wait = 0, bytes = 0;
    if (!parse(value, TIMES, &wait) && !parse(value, SIZES, &bytes))
        return fail("bad queue '%s': say 50ms or 512kb", value);
    s->up.queue_ns = s->down.queue_ns = (uint64_t)wait;
    s->up.queue_bytes = s->down.queue_bytes = bytes;
    return true;
}

static bool add_cut(struct site *s, uint64_t from, uint64_t to) {
    int kept = 0;
    for (int i = 0; i < s->cut_count; i++)
        if (s->cuts[i].to > now) s->cuts[kept++] = s->cuts[i];
    s->cut_count = kept;
    if (kept == MAX_CUTS) return fail("more than %d outages of one site", MAX_CUTS);
    s->cuts[s->cut_count++] = (struct span){from, to};
    return true;
}

static bool set_cut(struct site *s, int links, const char *value) {
    (void)links;
    char first[32];
    const char *dash = strchr(value, '-');
    double from, to;
    size_t length = dash ? (size_t)(dash - value) : 0;
    if (length > 0 && length < sizeof first) {
        memcpy(first, value, length);
        first[length] = 0;
        if (parse(first, TIMES, &from) && parse(dash + 1, TIMES, &to) && from < to)
            return add_cut(s, now + (uint64_t)from, now + (uint64_t)to);
    }
    return fail("bad outage '%s': say 5s-8s", value);
}

static const struct setting {
    const char *key;
    bool (*set)(struct site *, int links, const char *value);
    int links;
    bool leaf_only; /* the hub's link has neither delay nor loss */
} settings[] = {
    {"rate", set_rates, UP | DOWN, false}, {"uprate", set_rates, UP, false}, {"downrate", set_rates, DOWN, false},
    {"loss", set_loss, UP | DOWN, true},   {"uploss", set_loss, UP, true},   {"downloss", set_loss, DOWN, true},
    {"rtt", set_rtt, UP | DOWN, true},     {"queue", set_queue, UP | DOWN, false}, {"cut", set_cut, UP | DOWN, false},
};

static const struct setting *setting_of(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strlen(settings[i].key) == length && strncmp(settings[i].key, word, length) == 0) return &settings[i];
    return NULL;
}

/* One word of a command for one site: KEY=VALUE, cut or heal. */
static bool apply_word(struct site *s, bool is_hub, bool to_all, const char *word) {
    if (strcmp(word, "cut") == 0) return add_cut(s, now, NEVER);
    if (strcmp(word, "heal") == 0) {
        s->cut_count = 0;
        return true;
    }
    const char *equals = strchr(word, '=');
    const struct setting *setting = equals ? setting_of(word, (size_t)(equals - word)) : NULL;
    if (!setting) return fail("unknown setting '%s' (rate, loss, rtt, queue, cut; uprate, downrate, uploss, downloss)", word);
    if (setting->leaf_only && is_hub) {
        if (to_all) return true;
        return fail("%s: the hub's link has neither delay nor loss", word);
    }
    return setting->set(s, setting->links, equals + 1);
}

static bool apply_words(const char *words, int first, int last, bool dry) {
    for (int i = first; i <= last; i++) {
        struct site trial = sites[i];
        struct site *s = dry ? &trial : &sites[i];
        char copy[MAX_TEXT], *rest = copy, *word;
        snprintf(copy, sizeof copy, "%s", words);
        while ((word = strsep(&rest, " ")))
            if (*word && !apply_word(s, i == 0, first != last, word)) return false;
    }
    return true;
}

/* "SITE|all WORD...": all of it or, if a word is wrong, nothing. */
static bool apply(const char *command) {
    int first = 0, last = site_count - 1;
    const char *space = strchr(command, ' ');
    size_t length = space ? (size_t)(space - command) : 0;
    if (length != 3 || strncmp(command, "all", 3) != 0) {
        first = last = command[0] - 'a';
        if (length != 1 || first < 0 || first >= site_count)
            return fail("no site '%.*s': they are a to %c", (int)length, command, 'a' + site_count - 1);
    }
    return apply_words(space, first, last, true) && apply_words(space, first, last, false);
}

/* ---- control socket ---- */

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...) {
    size_t used = strlen(answer);
    va_list args;
    va_start(args, format);
    vsnprintf(answer + used, sizeof answer - used, format, args);
    va_end(args);
}

static void say_link(int site, const char *direction, const struct link *l) {
    char queue[32];
    if (l->queue_bytes > 0) snprintf(queue, sizeof queue, "%gkb", l->queue_bytes / 1e3);
    else snprintf(queue, sizeof queue, "%gms", (double)l->queue_ns / 1e6);
    say("%-4c %-4s %8gmbit %7gms %7g%% %8s %11llu %14llu %9llu %9llu %9llu\n", 'a' + site, direction, l->rate / 1e6,
        (double)l->delay / 1e6, l->loss * 100, queue, (unsigned long long)l->packets, (unsigned long long)l->bytes,
        (unsigned long long)l->lost, (unsigned long long)l->overflow, (unsigned long long)l->cut);
}

static void say_status(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    say("%-4s %-4s %12s %9s %8s %8s %11s %14s %9s %9s %9s\n", "site", "dir", "rate", "delay", "loss", "queue", "packets",
        "bytes", "lost", "overflow", "cut");
    for (int i = 0; i < site_count; i++) {
        say_link(i, "up", &sites[i].up);
        say_link(i, "down", &sites[i].down);
    }
    for (int i = 0; i < site_count; i++) {
        if (is_cut(&sites[i], now)) say("site %c is cut off\n", 'a' + i);
        if (sites[i].strange) say("site %c: %llu packets to nowhere\n", 'a' + i, (unsigned long long)sites[i].strange);
        if (sites[i].refused) say("site %c: %llu packets refused\n", 'a' + i, (unsigned long long)sites[i].refused);
    }
    say("up %.6f s, cpu %.3f s, memory at most %ld kB, under way %llu kB\n", (double)(now - started) / 1e9,
        (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) + (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6,
        use.ru_maxrss, (unsigned long long)buffered / 1000);
}

/* Answers "ok" and text, or "no" and an error. */
static void serve(int control) {
    struct sockaddr_un from;
    socklen_t from_length = sizeof from;
    char command[MAX_TEXT];
    ssize_t got = recvfrom(control, command, sizeof command - 1, MSG_DONTWAIT, (struct sockaddr *)&from, &from_length);
    if (got < 0) return;
    command[got] = 0;
    bool ok = true;
    answer[0] = 0;
    if (strcmp(command, "status") == 0) say_status();
    else ok = apply(command);
    char reply[MAX_TEXT + 3];
    int length = snprintf(reply, sizeof reply, "%s%s", ok ? "ok" : "no", answer);
    sendto(control, reply, (size_t)length, MSG_DONTWAIT, (struct sockaddr *)&from, from_length);
}

static void set_path(struct sockaddr_un *address, const char *directory, const char *name) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int length = snprintf(address->sun_path, sizeof address->sun_path, "%s/%s", directory, name);
    if (length >= (int)sizeof address->sun_path) die("path too long: %s", directory);
}

static int socket_at(struct sockaddr_un *address, const char *directory, const char *name) {
    set_path(address, directory, name);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)address, sizeof *address) != 0)
        die("cannot make the socket %s: %s", address->sun_path, strerror(errno));
    return fd;
}

static int ask(const char *directory, const char *command) {
    struct sockaddr_un mine, its;
    char name[32];
    snprintf(name, sizeof name, "reply.%d", (int)getpid());
    set_path(&its, directory, "control");
    int fd = socket_at(&mine, directory, name);
    struct timeval patience = {.tv_sec = 5};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    char reply[MAX_TEXT + 3];
    ssize_t got = -1;
    if (sendto(fd, command, strlen(command), 0, (struct sockaddr *)&its, sizeof its) >= 0)
        got = recv(fd, reply, sizeof reply - 1, 0);
    unlink(mine.sun_path);
    if (got < 2) die("the emulator does not answer; `wan down` removes what is left");
    reply[got] = 0;
    if (strncmp(reply, "ok", 2) != 0) die("%s", reply + 2);
    fputs(reply + 2, stdout);
    return 0;
}

/* ---- start and loop ---- */

static int open_tun(const char *prefix, int site) {
    char path[256];
    snprintf(path, sizeof path, "/run/netns/%s%c", prefix, 'a' + site);
    int ns = open(path, O_RDONLY | O_CLOEXEC);
    if (ns < 0 || setns(ns, CLONE_NEWNET) != 0) die("cannot enter %s: %s", path, strerror(errno));
    close(ns);
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) die("cannot open /dev/net/tun: %s", strerror(errno));
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR};
    strcpy(request.ifr_name, "wan0");
    if (ioctl(fd, TUNSETIFF, &request) != 0) die("cannot make a TUN device: %s", strerror(errno));
    if (ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4) != 0) die("TUN without offload: %s", strerror(errno));
    return fd;
}

static void open_tuns(const char *prefix) {
    int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    if (home < 0) die("cannot open /proc/self/ns/net: %s", strerror(errno));
    for (int i = 0; i < site_count; i++) polled[i] = (struct pollfd){.fd = open_tun(prefix, i), .events = POLLIN};
    if (setns(home, CLONE_NEWNET) != 0) die("cannot return to the own namespace: %s", strerror(errno));
    close(home);
}

/* The parent writes the process id and leaves when everything is in place, so that `wan up` need not wait or poll. */
static void go_to_background(const char *directory) {
    pid_t child = fork();
    if (child < 0) die("cannot fork: %s", strerror(errno));
    if (child > 0) {
        char path[256];
        snprintf(path, sizeof path, "%s/pid", directory);
        FILE *file = fopen(path, "w");
        if (!file || fprintf(file, "%d\n", (int)child) < 0 || fclose(file) != 0) die("cannot write %s", path);
        exit(0);
    }
    setsid();
    if (chdir("/") != 0) _exit(1);
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++) dup2(null, fd);
    close(null);
    /* the line must not stutter when the programs under test use all CPUs; without the right to this it does a little */
    struct sched_param priority = {.sched_priority = 1};
    sched_setscheduler(0, SCHED_FIFO, &priority);
    prctl(PR_SET_TIMERSLACK, 1);
    /* memory that a full link needed once is kept: to return it after each packet and fault it in again costs more CPU */
    mallopt(M_TRIM_THRESHOLD, KEEP_MEMORY);
    mallopt(M_MMAP_THRESHOLD, 2 * MAX_PACKET);
}

static void wait_for_work(uint64_t next) {
    struct timespec timeout = {0}, *limit = NULL;
    if (next != NEVER) {
        uint64_t time = clock_ns(), wait = next > time ? next - time : 0;
        timeout = (struct timespec){(time_t)(wait / SECOND), (long)(wait % SECOND)};
        limit = &timeout;
    }
    if (ppoll(polled, (nfds_t)site_count + 1, limit, NULL) < 0)
        for (int i = 0; i <= site_count; i++) polled[i].revents = 0;
}

static void loop(void) {
    for (;;) {
        now = clock_ns();
        uint64_t next_turn = now + turn;
        for (int i = 0; i < site_count; i++)
            for (int k = 0; polled[i].revents && k < READS_PER_TURN && read_packet(i); k++) continue;
        uint64_t next = run_due();
        if (polled[site_count].revents) serve(polled[site_count].fd);
        struct timespec pause = {(time_t)(next_turn / SECOND), (long)(next_turn % SECOND)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &pause, NULL);
        wait_for_work(next);
    }
}

static void prepare_sites(uint64_t seed) {
    for (int i = 0; i < site_count; i++) {
        uint64_t state = seed * 64 + (uint64_t)i;
        sites[i].up.random = random_next(&state);
        sites[i].down.random = random_next(&state);
    }
}

static int run(int count, char **args) {
    if (count < 5) die("usage: wanlink run DIR PREFIX SITES SEED TURN [SETTING...]");
    close_range(3, ~0u, 0); /* descriptors of the caller, such as locks, must not live on here */
    site_count = atoi(args[2]);
    if (site_count < 2 || site_count > MAX_SITES) die("--sites takes 2 to %d, not %s", MAX_SITES, args[2]);
    char *end;
    uint64_t seed = strtoull(args[3], &end, 10);
    if (end == args[3] || *end) die("bad seed '%s': say a whole number", args[3]);
    turn = strtoull(args[4], &end, 10) * 1000;
    if (end == args[4] || *end) die("bad turn '%s': say microseconds", args[4]);
    prepare_sites(seed);
    now = started = clock_ns();
    for (int i = 5; i < count; i++)
        if (!apply(args[i])) die("%s", answer);
    struct sockaddr_un address;
    open_tuns(args[1]);
    polled[site_count] = (struct pollfd){.fd = socket_at(&address, args[0], "control"), .events = POLLIN};
    go_to_background(args[0]);
    loop();
    return 0;
}

int main(int argc, char **argv) {
    if (argc >= 2 && strcmp(argv[1], "run") == 0) return run(argc - 2, argv + 2);
    if (argc == 4 && strcmp(argv[1], "ask") == 0) return ask(argv[2], argv[3]);
    die("usage: wanlink run DIR PREFIX SITES SEED TURN [SETTING...] | wanlink ask DIR COMMAND");
}
