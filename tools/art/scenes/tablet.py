"""12.9-inch tablet."""
import math
from functools import partial

import numpy as np
from mathutils import Matrix

import materials
import shapes
import shots
import studio
from shapes import move

WIDTH, HEIGHT, THICK = 2.15, 2.81, .064
LEAN = 76       # of the tablet on its stand, in degrees


def tablet():
    """Builds two tablets on stands, one from the front and one behind it from the back."""
    look = tablet_look()
    for x, y, turn in ((.38, -.55, 0), (-.37, 1.05, 186)):
        root, _ = studio.group('on stand', on_stand, look, move(0, HEIGHT / 2, 0))
        studio.place(root, x, y, turn=turn)


def on_stand(look, rest):
    """Builds a tablet on its stand. `rest` moves the tablet, screen up, onto the ledge at y = 0."""
    lean = move(0, 0, .14) @ Matrix.Rotation(math.radians(LEAN), 4, 'X')
    root, _ = studio.group('slate', slate, look)
    root.matrix_world = lean @ rest
    stand(look['stand'], lean)


def stand(metal, lean):
    """Builds the stand: a base, an arm, and a plate with a ledge that holds the tablet."""
    black = materials.plain('rubber', (.012, .012, .013), rough=.8, spec=.2)
    base = shapes.rounded_rect(1.14, .94, .16, 12)
    back = THICK / 2 + .003
    parts = [shapes.slab('foot', base, 0, .02, black, bevel=0),
             shapes.slab('base', base, .012, .058, metal, bevel=.014)]
    for part in parts:
        part.location = (0, .24, 0)
    parts[0].scale = (.95, .95, 1)
    bend = [(.52 + .12 * math.sin(a), .16 - .12 * math.cos(a))
            for a in np.radians(np.linspace(0, 130, 14))]
    shapes.strip('arm', [(.30, .04), *bend, (.20, .72)], .34, .04, metal)
    plate = shapes.slab('plate', shapes.rounded_rect(.96, 1.0, .12, 10), -back - .035, -back, metal,
                        bevel=.008)
    plate.matrix_world = lean @ move(0, .465, 0)
    ledge = shapes.strip('ledge', [(.075, back), (-.003, back), (-.003, -back), (.08, -back)], .96,
                         .035, metal)
    ledge.matrix_world = lean


def tablet_flat():
    """Builds one tablet screen up, resting on its camera."""
    root, _ = studio.group('slate', slate, tablet_look())
    root.matrix_world = move(0, 0, THICK / 2 + .02)


def tablet_landscape():
    """Builds one tablet on its stand, turned to the left, with two pages of a book on its screen."""
    on_stand(tablet_look('tablet-reader.png'), move(0, WIDTH / 2, 0) @ turn_z(90))


def turn_z(degrees):
    """Returns a rotation around z."""
    return Matrix.Rotation(math.radians(degrees), 4, 'Z')


def tablet_look(screen='tablet-screen.png'):
    """Returns the materials. `screen` is the picture on the screen. The aluminum is half metallic, because pure metal renders blotchy."""
    return {
        'aluminum': materials.plain('aluminum', (.62, .63, .65), rough=.5, metal=.55),
        'stand': materials.plain('stand', (.40, .41, .43), rough=.45, metal=.6),
        'glass': materials.plain('glass', (.004, .004, .005), rough=.05),
        'screen': materials.picture('screen', screen, rough=.08, spec=.4,
                                    emit_strength=1.1),
        'lens': materials.plain('lens', (.005, .005, .006), rough=.06, coat=1),
        'rim': materials.plain('lens rim', (.4, .4, .42), rough=.25, metal=1),
    }


def slate(look):
    """Builds a tablet flat at the origin, screen toward +z."""
    corner = .185
    shapes.slab('body', shapes.rounded_rect(WIDTH, HEIGHT, corner, 14), -THICK / 2, THICK / 2,
                look['aluminum'], bevel=.014, bevel_segments=4)
    shapes.slab('glass', shapes.rounded_rect(WIDTH - .035, HEIGHT - .035, corner - .017, 14),
                THICK / 2 - .01, THICK / 2 + .0015, look['glass'], bevel=0)
    shapes.slab('screen', shapes.rounded_rect(WIDTH - .20, HEIGHT - .20, corner - .10, 14),
                THICK / 2 - .008, THICK / 2 + .0022, look['screen'], bevel=0)
    camera(WIDTH / 2 - .34, HEIGHT / 2 - .24, -THICK / 2, look)
    button = shapes.slab('volume', shapes.rounded_rect(.34, .028, .013, 6), 0, .008,
                         look['aluminum'], bevel=.002)
    button.matrix_world = (move(WIDTH / 2, HEIGHT / 2 - .75, 0)
                           @ Matrix.Rotation(math.radians(90), 4, 'Y') @ turn_z(90))
    bottom_edge()


def bottom_edge():
    """Builds the USB-C port and two rows of loudspeaker holes in the bottom edge."""
    rim = materials.plain('port rim', (.30, .30, .31), rough=.35, metal=.8)
    black = materials.plain('port', (.002, .002, .002), rough=.8, spec=.1)
    tongue = materials.plain('port tongue', (.05, .05, .053), rough=.5)
    edge = move(0, -HEIGHT / 2, 0) @ shapes.FACE_FRONT
    parts = [shapes.slab('port rim', shapes.rounded_rect(.100, .036, .0175, 8), -.002, .0012, rim,
                         bevel=0),
             shapes.slab('port', shapes.rounded_rect(.090, .026, .0125, 8), 0, .0016, black, bevel=0),
             shapes.slab('port tongue', shapes.rounded_rect(.062, .007, .003, 4), 0, .0020, tongue,
                         bevel=0)]
    for side in (-1, 1):
        for i in range(9):
            hole = shapes.slab('loudspeaker', shapes.circle(.0085, 24), 0, .0012, black, bevel=0)
            hole.data.transform(move(side * (.17 + .034 * i), 0, 0))
            parts.append(hole)
    for part in parts:
        part.matrix_world = edge


def camera(x, y, z, look):
    """Builds a pill of dark glass with two lenses that faces down (-z) from height z."""
    pill = shapes.slab('camera rim', shapes.rounded_rect(.42, .18, .089, 12), z - .018, z + .01,
                       look['aluminum'], bevel=.008)
    glass = shapes.slab('camera glass', shapes.rounded_rect(.385, .145, .072, 12), z - .0195, z,
                        look['lens'], bevel=0)
    pill.location = glass.location = (x, y, 0)
    for dx in (-.12, .12):
        lens = shapes.ring('lens', .046, .006, look['rim'], z=z - .0195)
        lens.location = (x + dx, y, 0)


LIGHT = {'soft': 1.8}
FLAT_LIGHT = {'rim': .3, 'soft': 1.8}       # less reflection in the screen

PICTURES = {
    'tablet': partial(shots.product, tablet, az=-24, el=12, margin=.10, fine=True, light=LIGHT),
    'tablet-2': partial(shots.product, tablet_flat, az=-24, el=36, margin=.07, turn=-14, fine=True,
                        light=FLAT_LIGHT),
    'tablet-3': partial(shots.detail, tablet_flat, az=-24, el=16, target=(.06, -1.30, .13), width=.84,
                        light=FLAT_LIGHT),
    'tablet-4': partial(shots.product, tablet_landscape, az=-24, el=12, margin=.07, fine=True,
                        light=LIGHT),
}
