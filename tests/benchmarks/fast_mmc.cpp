// M/M/c, first come first served, as fast as we know how to write it for this model alone.
// xoshiro256++ and a ziggurat of 256 layers, drawn where they are needed; the servers' next departures in an array that
// is scanned (c is small), the arrival beside it, waiting customers in a ring. Nothing is counted but what is printed.
// Usage: fast_mmc SERVERS MEAN_GAP MEAN_SERVICE HORIZON SEED; prints events, departures, sum of sojourns, seconds of
// processor time.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <vector>

static double X[257], F[257];
static uint64_t BELOW[256];  // words whose value lies below the next layer for certain
static double SCALE[256];

static void tables() {
    const double tail = 7.697117470131049720307, area = (1.0 + tail) * std::exp(-tail);
    X[0] = area * std::exp(tail);
    X[1] = tail;
    for (int i = 2; i < 256; ++i) X[i] = -std::log(area / X[i - 1] + std::exp(-X[i - 1]));
    for (int i = 0; i < 257; ++i) F[i] = std::exp(-X[i]);
    for (int i = 0; i < 256; ++i) {
        SCALE[i] = X[i] * 0x1p-53;
        BELOW[i] = uint64_t(X[i + 1] / X[i] * 0x1p53);
    }
}

struct Random {
    uint64_t s[4];
    explicit Random(uint64_t seed) {
        for (uint64_t& word : s) {  // splitmix64
            uint64_t z = (seed += 0x9E3779B97F4A7C15ull);
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
            word = z ^ (z >> 31);
        }
    }
    static uint64_t turned(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
    uint64_t word() {
        const uint64_t result = turned(s[0] + s[3], 23) + s[0], t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = turned(s[3], 45);
        return result;
    }
    double exponential() {
        double base = 0.0;
        for (;;) {
            const uint64_t w = word(), value = w >> 11;
            const int layer = int(w & 255);
            const double x = double(value) * SCALE[layer];
            if (__builtin_expect(value < BELOW[layer], 1)) return base + x;
            if (layer == 0)
                base += X[1];
            else if (F[layer] + double(word() >> 11) * 0x1p-53 * (F[layer + 1] - F[layer]) < std::exp(-x))
                return base + x;
        }
    }
};

int main(int, char** argv) {
    const int servers = std::atoi(argv[1]);
    const double gap = std::atof(argv[2]), service = std::atof(argv[3]), horizon = std::atof(argv[4]);
    tables();
    Random random(std::strtoull(argv[5], nullptr, 10));
    const double never = std::numeric_limits<double>::infinity();
    std::clock_t begin = std::clock();
    double departs[64], born[64];
    for (int i = 0; i < 64; ++i) departs[i] = never;
    std::vector<double> ring(1 << 12);  // when those who wait arrived
    uint64_t mask = ring.size() - 1, head = 0, tail = 0, count = 0, departures = 0;
    double sojourns = 0.0, arrival = gap * random.exponential();
    int busy = 0;
    for (;;) {
        int first = 0;
        double time = departs[0];
        for (int i = 1; i < servers; ++i) {
            const bool earlier = departs[i] < time;
            time = earlier ? departs[i] : time;
            first = earlier ? i : first;
        }
        if (arrival <= time) {
            if (arrival > horizon) break;
            if (busy < servers) {
                int free = 0;
                while (departs[free] != never) ++free;
                departs[free] = arrival + service * random.exponential();
                born[free] = arrival;
                ++busy;
            } else {
                if (tail - head > mask) {
                    std::vector<double> longer(2 * ring.size());
                    for (uint64_t i = head; i != tail; ++i) longer[i & (2 * mask + 1)] = ring[i & mask];
                    ring.swap(longer);
                    mask = ring.size() - 1;
                }
                ring[tail++ & mask] = arrival;
            }
            arrival += gap * random.exponential();
        } else {
            if (time > horizon) break;
            ++departures;
            sojourns += time - born[first];
            if (head == tail) {
                departs[first] = never;
                --busy;
            } else {
                born[first] = ring[head++ & mask];
                departs[first] = time + service * random.exponential();
            }
        }
        ++count;
    }
    const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%llu %llu %.17g %.9g\n", (unsigned long long)count, (unsigned long long)departures, sojourns, seconds);
}
