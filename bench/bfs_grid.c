/* Measures: breadth-first search and flood fill on a grid with walls, coordinates computed from indices, a ring buffer as the queue. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 512, HEIGHT = 384, CELLS = WIDTH * HEIGHT };

static uint8_t wall[HEIGHT][WIDTH];
static int32_t distance[HEIGHT][WIDTH];
static uint32_t queue[CELLS];
static uint16_t region[HEIGHT][WIDTH];

typedef struct {
    int x, y;
} Point;

static const Point directions[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

static int inside(int x, int y) {
    return x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT;
}

/* Distances from `start` to all cells, -1 where there is no way; gives the farthest. */
static Point search(Point start) {
    uint32_t head = 0, tail = 0;
    Point last = start;
    memset(distance, -1, sizeof distance);
    distance[start.y][start.x] = 0;
    queue[tail++] = (uint32_t)(start.y * WIDTH + start.x);
    while (head != tail) {
        uint32_t cell = queue[head++];
        last = (Point){(int)(cell % WIDTH), (int)(cell / WIDTH)};
        for (int d = 0; d < 4; d++) {
            int x = last.x + directions[d].x, y = last.y + directions[d].y;
            if (inside(x, y) && !wall[y][x] && distance[y][x] < 0) {
                distance[y][x] = distance[last.y][last.x] + 1;
                queue[tail++] = (uint32_t)(y * WIDTH + x);
            }
        }
    }
    return last;
}

/* Numbers the connected regions, by a stack of spans. */
static unsigned number_regions(void) {
    unsigned count = 0;
    memset(region, 0, sizeof region);
    for (int y0 = 0; y0 < HEIGHT; y0++)
        for (int x0 = 0; x0 < WIDTH; x0++) {
            if (wall[y0][x0] || region[y0][x0])
                continue;
            uint32_t top = 0;
            queue[top++] = (uint32_t)(y0 * WIDTH + x0);
            count++;
            region[y0][x0] = (uint16_t)count;
            while (top > 0) {
                uint32_t cell = queue[--top];
                int y = (int)(cell / WIDTH), left = (int)(cell % WIDTH), right = left;
                while (left > 0 && !wall[y][left - 1] && !region[y][left - 1])
                    region[y][--left] = (uint16_t)count;
                while (right < WIDTH - 1 && !wall[y][right + 1] && !region[y][right + 1])
                    region[y][++right] = (uint16_t)count;
                for (int x = left; x <= right; x++)
                    for (int dy = -1; dy <= 1; dy += 2)
                        if (inside(x, y + dy) && !wall[y + dy][x] && !region[y + dy][x]) {
                            region[y + dy][x] = (uint16_t)count;
                            queue[top++] = (uint32_t)((y + dy) * WIDTH + x);
                        }
            }
        }
    return count;
}

int main(void) {
    uint32_t seed = 4, hash = 0;
    for (int round = 0; round < 30; round++) {
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                seed = seed * 1664525u + 1013904223u;
                wall[y][x] = seed >> 24 < 70 + (unsigned)round;
            }
        wall[HEIGHT / 2][WIDTH / 2] = 0;
        Point a = search((Point){WIDTH / 2, HEIGHT / 2});
        Point b = search(a);
        hash = hash * 31 + (uint32_t)distance[b.y][b.x];
        hash = hash * 31 + number_regions();
        hash = hash * 31 + region[HEIGHT - 1][WIDTH - 1] + (uint32_t)a.x + (uint32_t)b.y;
    }
    printf("bfs_grid %08x\n", (unsigned)hash);
    return 0;
}
