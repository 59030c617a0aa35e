// flags: -std=gnu2x -Wall -Wextra
// Bit-precise integers: widths, constants, conversions, case labels.
_BitInt(65536) too_wide;
_BitInt(1) one;
_BitInt(0) none;
unsigned _BitInt(-1) negative;
long _BitInt(5) two_types;
unsigned _BitInt(1) fine;
unsigned _BitInt(65535) widest;
_BitInt(200) from_address = (_BitInt(200)) & fine;
int many[(_BitInt(200))1 << 70];
int more[0x1'00000000'00000000'00000000'00000000wb];
enum big : _BitInt(200) { A };
_Static_assert((_BitInt(200))1 << 150 == 0);
struct fields {
    _BitInt(200) b : 201;
    _BitInt(200) c : 0x1'00000000'00000000'00000000'00000000wb;
};

int changes(_BitInt(200) w)
{
    int i = 0x1'00000000'00000000'00000000'00000001wb;
    unsigned _BitInt(150) u = -1wb;
    _BitInt(150) s = (_BitInt(150))0x1fffffffffffffffffffffffffffffffffffffwb * 0x10wb;
    w = 1wb << 200, w = (_BitInt(200))1 << 200;
    w /= 0;
    if (w = i)
        return w << -1;
    return i + (int)u + (int)s;
}

int labels(_BitInt(200) w)
{
    switch (w) {
    case 5:
    case 5wb:
    case 0x1'00000000'00000000'00000000'00000001wb:
    case 0x0'ffffffff'00000000'00000000'00000000'00000000wb ... 0x0'ffffffff'00000000'00000000'00000000'00000009wb:
    case 0x0'ffffffff'00000000'00000000'00000000'00000009wb:
    case 0x1'00000000'00000000'00000000'00000000'00000000'00000000wb:
        return 1;
    }
    return 0;
}

int members(_BitInt(200) w)
{
    __sync_fetch_and_add(&w, 1);
    return w.x + *w + w();
}

struct reversed {
    int i;
    _BitInt(129) members[2];
} __attribute__((scalar_storage_order("big-endian")));
