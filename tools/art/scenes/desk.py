"""A desk in front of a wall, with both monitors and the book in use."""
from functools import partial

import numpy as np

import materials
import room
import shapes
import shots
import studio
from book import open_book, pencil
from monitor import monitor
from room import CLAY, CREAM, SAND, TEAL, boxes, put, wood
from shapes import move
from ultrawide import ultrawide

WALL, FLOOR = 3.2, -7.3
KEYS = ([1] * 13 + [2], [1.5] + [1] * 12 + [1.5], [1.75] + [1] * 11 + [2.25], [2.25] + [1] * 10 + [2.75],
        [1.25] * 3 + [6.25] + [1.25] * 4)       # widths of each row, from the back


def desk(window_y=-3.6, sky=2200):
    """Builds a desk of 180 x 80 cm, with its top at z = 0, drawers, the floor and a rug, in daylight."""
    room.planks(-9, 9, -5, 3, 0, 1.6, 30)
    room.planks(-24, 24, -22, WALL, FLOOR, 1.4, 12, dark='#94683f', light='#c99c68')
    legs = [(x, y, FLOOR, x + .5, y + .5, -.32) for x in (-8.7, 8.2) for y in (-4.7, 2.2)]
    boxes('legs', legs, wood((9, 9, .5)), bevel=.04)
    white = materials.plain('drawers', CREAM, rough=.5)
    boxes('drawers', [(4, -4.75, FLOOR + .7, 8.1, 2.7, -.33)]
          + [(4.08, -4.85, z, 8.02, -4.7, z + 1.92) for z in (-6.5, -4.45, -2.4)], white)
    boxes('handles', [(5.5, -5, z, 6.6, -4.8, z + .12) for z in (-5.3, -3.25, -1.2)], wood(), bevel=.04)
    boxes('skirting', [(-40, WALL - .15, FLOOR, 40, WALL + .1, FLOOR + 1)], white)
    rug = shapes.slab('rug', shapes.rounded_rect(15, 9, .3), FLOOR, FLOOR + .1, materials.grain(
        materials.plain('rug', CREAM, rough=.95, spec=.1), 14, .03), bevel=.04)
    rug.location.y = -5
    room.daylight(-13, window_y, 8.5, 6.5, 9, sky, WALL)


def shelf(width):
    """Builds a shelf with books on it, attached to the wall at the origin."""
    boxes('shelf', [(-width / 2, -1.8, -.22, width / 2, .05, 0)], wood(), bevel=.02)
    random, x = np.random.default_rng(12), -width / 2 + .4
    for color in (TEAL, CREAM, '#c4663a', SAND, '#23404a', '#e9b27d', CREAM):
        thick, tall = random.uniform(.2, .42), random.uniform(1.7, 2.3)
        boxes('book', [(x, -1.6, 0, x + thick, -.1, tall)], materials.plain('cloth', color, rough=.7), bevel=.03)
        x += thick + .01


def poster(w=1.5, h=2.0):
    """Builds a framed print of three circles, attached to the wall at the origin."""
    boxes('frame', [(-w, -.12, -h, w, 0, .12 - h), (-w, -.12, h - .12, w, 0, h),
                    (-w, -.12, .12 - h, .12 - w, 0, h - .12), (w - .12, -.12, .12 - h, w, 0, h - .12)], wood())
    boxes('paper', [(.1 - w, -.04, .1 - h, w - .1, 0, h - .1)], materials.plain('paper', CREAM, rough=.9), bevel=0)
    for x, z, r, color in ((.25, .35, .62, CLAY), (-.45, -.9, .85, TEAL), (.45, -1.0, .75, SAND)):
        disc = shapes.slab('disc', shapes.circle(r), 0, .05 - z * .004, materials.plain('print', color, rough=.9), 0)
        disc.matrix_world = move(x, 0, z) @ shapes.FACE_FRONT


def keyboard_and_mouse(width):
    """Builds a cream keyboard of 30 cm with two apricot keys, and a mouse, on a felt mat."""
    cream = materials.plain('cream', '#f3e8d6', rough=.5)
    shapes.slab('mat', shapes.rounded_rect(width, 2.6, .15), 0, .03, materials.grain(
        materials.plain('felt', TEAL, rough=.95, spec=.1), 40, .01), bevel=.01)
    shapes.slab('case', shapes.rounded_rect(2.98, 1.08, .1), .03, .2, materials.plain('case', SAND, rough=.5), .03)
    keys, accents = [], []
    for row, widths in enumerate(KEYS):
        x, y = -1.425, .475 - .19 * row
        for i, size in enumerate(widths):
            (accents if (row, i) in ((0, 0), (2, 12)) else keys).append(
                (x + .012, y - .178, .19, x + size * .19 - .012, y - .012, .30 + .012 * (4 - row)))
            x += size * .19
    boxes('keys', keys, cream, bevel=.02)
    boxes('keys', accents, materials.plain('accents', CLAY, rough=.5), bevel=.02)
    rings = [[(2.4 + x, y - .12 * z, z + .03) for x, y in shapes.superellipse(.33 * k, .56 * k, 2.6)]
             for z, k in ((.01, .9), (.06, .98), (.16, 1), (.26, .93), (.33, .76), (.37, .5), (.39, .2))]
    shapes.loft('mouse', rings, cream)
    wheel = shapes.lathe('wheel', shapes.round_profile(.09, -.03, .03, .01, .01), materials.plain('wheel', '#3a3733'))
    wheel.matrix_world = move(2.4, .24, .32) @ shapes.FACE_LEFT


def lamp():
    """Builds a desk lamp of 50 cm, switched on, whose shade extends toward +x."""
    paint = materials.plain('lamp', CLAY, rough=.4, coat=.3)
    shapes.lathe('foot', shapes.round_profile(.8, 0, .14, .01, .05), paint)
    shapes.tube('arm', [(-.3, 0, .1), (-.3, 0, 1.6), (-.3, 0, 3.9), (.1, 0, 4.75), (.8, 0, 4.95), (1.35, 0, 4.75),
                        (1.45, 0, 4.6)], .05, materials.plain('brass', '#b98f4f', rough=.35, metal=.8))
    shade = shapes.lathe('shade', [(0, .53), (.12, .52), (.2, .5), (.34, .38), (.62, 0), (.6, 0), (.32, .35), (0, .47)],
                         paint, subdivide=1)
    lit = shapes.lathe('lit', [(0, .08), (.13, .1), (.16, .2), (.1, .34)],
                       materials.plain('lit', CREAM, emit='#ffdca8', emit_strength=1))
    shade.location = lit.location = (1.45, 0, 4.1)
    studio.area('bulb', (1.45, 0, 4.15), (1.45, 0, 0), .5, .5, 70, (1, .72, .42))


def glasses():
    """Builds reading glasses, open, that rest on their rims and the ends of their temples."""
    frame = materials.plain('frame', '#7a4a26', rough=.25, coat=.5)
    for side in (-1, 1):
        rim = [(side * .33 + x, 0, .225 + z) for x, z in shapes.superellipse(.25, .205, 2.6, 20)]
        shapes.tube('rim', rim, .022, frame, closed=True)
        shapes.tube('temple', [(side * .57, .0, .30), (side * .64, .06, .31), (side * .645, .7, .29),
                               (side * .62, 1.15, .24), (side * .60, 1.45, .024)], .02, frame)
    shapes.tube('bridge', [(-.09, 0, .27), (0, -.01, .31), (.09, 0, .27)], .022, frame)


def chair():
    """Builds a wooden chair that faces +y, with its feet at z = 0."""
    stick = wood((9, 9, .5))
    shapes.slab('seat', shapes.rounded_rect(4.4, 4.2, .8), 4.3, 4.6, wood(), bevel=.08)
    for x in (-1, 1):
        shapes.tube('leg', [(x * 2.0, 1.9, 0), (x * 1.8, 1.7, 2.2), (x * 1.6, 1.5, 4.35)], .17, stick)
        shapes.tube('post', [(x * 2.0, -2.2, 0), (x * 1.8, -1.9, 4.4), (x * 1.85, -2.3, 8.4)], .17, stick)
    shapes.bent_box('back', 4.3, 6.6, 8.5, -.1, .1, 6, wood(), bevel=.08).location.y = -2.15


def gaming():
    """The 27-inch monitor with keyboard, mouse and lamp."""
    desk()
    put(monitor, at=(0, .1, 0), turn=-4)
    put(keyboard_and_mouse, 6.4, at=(-.2, -2.5, 0), turn=-2)
    put(lamp, at=(-4.3, 1.4, 0), turn=-90)
    put(room.cup, at=(-3.6, -1.5, 0), turn=200)
    put(room.plant, at=(4.3, .6, 0))
    put(shelf, 6.0, at=(1.0, WALL, 5.9))
    put(room.vessel, TEAL, .42, .9, at=(3.0, WALL - .9, 5.9))
    room.camera((0, 0, 3.0), -18, 12, 10.8, lens=60)


def working():
    """The 49-inch monitor across the desk, in a room that is visible down to the floor."""
    desk()
    put(ultrawide, at=(0, .2, 0))
    put(keyboard_and_mouse, 8.0, at=(-.4, -2.9, 0))
    put(lamp, at=(-7.6, 1.4, 0), turn=-90)
    put(room.cup, at=(-5.0, -2.2, 0), turn=200)
    put(room.plant, leaves=34, length=2.4, size=.8, at=(7.6, 1.2, 0))
    put(poster, at=(-4.4, WALL, 7.8))
    put(shelf, 6.0, at=(3.2, WALL, 6.6))
    put(chair, at=(.2, -7.4, FLOOR + .1), turn=28)
    room.camera((-.2, 0, .5), -14, 11, 19.2, lens=50)


def reading():
    """The book, open, with a cup, glasses and a pencil."""
    desk(window_y=-9, sky=700)
    put(open_book, at=(0, -2, 0), turn=-6)
    put(room.cup, TEAL, at=(1.25, -.2, 0), turn=-10)
    put(glasses, at=(-.75, -.45, 0), turn=14)
    put(pencil, at=(-1.78, -3.3, .033), tip=90, turn=3)
    put(room.plant, at=(-2.2, 1.3, 0))
    room.camera((0, -1.7, .1), -14, 36, 4.45, lens=75, level=False)


PICTURES = {
    'monitor-5': partial(shots.banner, gaming, size=shots.SQUARE),
    'ultrawide-5': partial(shots.banner, working, size=shots.SQUARE),
    'book-5': partial(shots.banner, reading, size=shots.SQUARE),
}
