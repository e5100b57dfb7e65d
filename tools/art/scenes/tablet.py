"""12.9-inch tablet."""
import math
from functools import partial

from mathutils import Matrix

import materials
import shapes
import shots
import studio
from shapes import move

WIDTH, HEIGHT, THICK = 2.15, 2.81, .064


def tablet():
    """Builds two upright tablets, one from the front and one behind it from the back."""
    look = tablet_look()
    lean_front = Matrix.Rotation(math.radians(80), 4, 'X')
    lean_back = turn_z(186) @ Matrix.Rotation(math.radians(98), 4, 'X')
    for matrix in (move(.42, -.25, 1.385) @ lean_front, move(-.50, .45, 1.385) @ lean_back):
        root, _ = studio.group('slate', slate, look)
        root.matrix_world = matrix


def tablet_flat():
    """Builds one tablet screen up, resting on its camera."""
    root, _ = studio.group('slate', slate, tablet_look())
    root.matrix_world = move(0, 0, THICK / 2 + .02)


def tablet_landscape():
    """Builds one upright tablet, turned to the left, with two pages of a book on its screen."""
    root, _ = studio.group('slate', slate, tablet_look('tablet-reader.png'))
    root.matrix_world = move(0, 0, 1.06) @ Matrix.Rotation(math.radians(78), 4, 'X') @ turn_z(90)


def turn_z(degrees):
    """Returns a rotation around z."""
    return Matrix.Rotation(math.radians(degrees), 4, 'Z')


def tablet_look(screen='tablet-screen.png'):
    """Returns the materials. `screen` is the picture on the screen. The aluminum is half metallic, because pure metal renders blotchy."""
    return {
        'aluminum': materials.plain('aluminum', (.62, .63, .65), rough=.5, metal=.55),
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
