// M/M/c, first come first served, by a plain event list: the yardstick of the compiled loop.
// The same counter-based generator, drawn in the same blocks, so that the two simulate the same sample path.
// Usage: mmc SERVERS MEAN_GAP MEAN_SERVICE HORIZON SEED; prints events, departures, sum of sojourns, seconds of processor time.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <queue>
#include <vector>

struct Philox {
    uint64_t key0, key1, source;
    void block(uint64_t number, uint64_t attempt, uint64_t* out) const {
        const uint64_t low = 0xFFFFFFFFu;
        uint64_t c0 = number & low, c1 = number >> 32, c2 = source, c3 = attempt, k0 = key0, k1 = key1;
        for (int round = 0; round < 10; ++round) {
            uint64_t p0 = 0xD2511F53ull * c0, p1 = 0xCD9E8D57ull * c2;
            c0 = ((p1 >> 32) ^ c1 ^ k0) & low;
            c1 = p1 & low;
            c2 = ((p0 >> 32) ^ c3 ^ k1) & low;
            c3 = p0 & low;
            k0 = (k0 + 0x9E3779B9u) & low;
            k1 = (k1 + 0xBB67AE85u) & low;
        }
        out[0] = c0 | (c1 << 32);
        out[1] = c2 | (c3 << 32);
    }
};

static double X[257], F[257];
static void tables() {
    const double tail = 7.697117470131049720307, area = (1.0 + tail) * std::exp(-tail);
    X[0] = area * std::exp(tail);
    X[1] = tail;
    for (int i = 2; i < 256; ++i) X[i] = -std::log(area / X[i - 1] + std::exp(-X[i - 1]));
    for (int i = 0; i < 257; ++i) F[i] = std::exp(-X[i]);
}
static inline double unit(uint64_t word) { return (double(int64_t(word >> 11)) + 0.5) * 0x1p-53; }

class Exponentials {
    enum { SIZE = 256 };
    Philox generator;
    double mean, values[SIZE];
    uint64_t words[SIZE], drawn = 0;
    int next = SIZE;

    double retry(double x, int layer, uint64_t index) const {
        double base = 0.0;
        for (uint64_t attempt = 1;; ++attempt) {
            uint64_t w[2];
            generator.block(index, attempt, w);
            if (layer == 0)
                base += X[1];
            else if (F[layer] + unit(w[0]) * (F[layer + 1] - F[layer]) < std::exp(-x))
                return base + x;
            layer = int(w[1] & 255);
            x = unit(w[1]) * X[layer];
            if (x < X[layer + 1]) return base + x;
        }
    }
    void refill() {
        for (int j = 0; j < SIZE / 2; ++j) generator.block(drawn / 2 + j, 0, words + 2 * j);
        for (int i = 0; i < SIZE; ++i) {
            int layer = int(words[i] & 255);
            double x = unit(words[i]) * X[layer];
            values[i] = mean * (x < X[layer + 1] ? x : retry(x, layer, drawn + i));
        }
        drawn += SIZE;
        next = 0;
    }

  public:
    Exponentials(uint64_t seed, uint64_t source, double mean) : generator{seed, 0, source}, mean(mean) {}
    double draw() {
        if (next == SIZE) refill();
        return values[next++];
    }
};

struct Customer {
    double born, work;
};
struct Event {
    double time, born;
    bool arrival;
    bool operator<(const Event& other) const { return time > other.time; }
};

int main(int, char** argv) {
    const int servers = std::atoi(argv[1]);
    const double horizon = std::atof(argv[4]);
    const uint64_t seed = std::strtoull(argv[5], nullptr, 10);
    tables();
    Exponentials gap(seed, 0, std::atof(argv[2])), service(seed, uint64_t(2) << 24, std::atof(argv[3]));
    std::clock_t begin = std::clock();
    std::priority_queue<Event> events;
    std::deque<Customer> waiting;
    int idle = servers;
    uint64_t count = 0, departures = 0;
    double sojourns = 0.0;
    events.push({gap.draw(), 0.0, true});
    while (events.top().time <= horizon) {
        Event event = events.top();
        events.pop();
        ++count;
        if (event.arrival) {
            events.push({event.time + gap.draw(), 0.0, true});
            double work = service.draw();
            if (idle > 0) {
                --idle;
                events.push({event.time + work, event.time, false});
            } else {
                waiting.push_back({event.time, work});
            }
        } else {
            ++departures;
            sojourns += event.time - event.born;
            if (waiting.empty()) {
                ++idle;
            } else {
                Customer customer = waiting.front();
                waiting.pop_front();
                events.push({event.time + customer.work, customer.born, false});
            }
        }
    }
    double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%llu %llu %.17g %.9g\n", (unsigned long long)count, (unsigned long long)departures, sojourns, seconds);
}
