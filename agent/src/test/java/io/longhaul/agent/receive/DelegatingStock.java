package io.longhaul.agent.receive;

import io.longhaul.agent.repair.Stock;
import io.longhaul.wire.Piece;
import io.longhaul.wire.TransferId;
import java.util.Optional;

/** A stock that another one has. */
class DelegatingStock implements Stock {
    private final Stock stock;

    DelegatingStock(Stock stock) {
        this.stock = stock;
    }

    @Override
    public Optional<Item> find(TransferId transfer) {
        return stock.find(transfer);
    }

    @Override
    public boolean isWhole(Item item) {
        return stock.isWhole(item);
    }

    @Override
    public long through(Item item) {
        return stock.through(item);
    }

    @Override
    public boolean hold(Item item) {
        return stock.hold(item);
    }

    @Override
    public void release(Item item) {
        stock.release(item);
    }

    @Override
    public Piece read(Item item, long index) {
        return stock.read(item, index);
    }
}
