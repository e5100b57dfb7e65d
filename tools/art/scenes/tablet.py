"""13-inch tablet and its pen."""
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
    """Builds one tablet screen up, resting on its camera, with the pen across the lower half."""
    root, _ = studio.group('slate', slate, tablet_look())
    root.matrix_world = move(0, 0, THICK / 2 + .02)
    root, _ = studio.group('pen', pen)
    root.matrix_world = move(.42, -.50, .132) @ turn_z(-38) @ shapes.FACE_BACK


def turn_z(degrees):
    """Returns a rotation around z."""
    return Matrix.Rotation(math.radians(degrees), 4, 'Z')


def tablet_look():
    """Returns the materials. The aluminum is half metallic, because pure metal renders blotchy."""
    return {
        'aluminum': materials.plain('aluminum', (.62, .63, .65), rough=.5, metal=.55),
        'glass': materials.plain('glass', (.004, .004, .005), rough=.05),
        'screen': materials.picture('screen', 'tablet-screen.png', rough=.08, spec=.4,
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


def pen():
    """Builds a white pen along z at the origin, 16.6 cm long and 9 mm thick, tip down."""
    white = materials.plain('pen white', (.78, .78, .79), rough=.35)
    gray = materials.plain('pen ring', (.5, .5, .52), rough=.3, metal=.8)
    r = .045
    shapes.lathe('pen', [(.018, -.70), (r, -.58), (r, .80), (r - .004, .82), (r - .018, .828),
                         (0, .83)], white, segments=48)
    shapes.lathe('pen tip', [(0, -.83), (.006, -.828), (.010, -.815), (.018, -.705)], gray,
                 segments=32)
    shapes.lathe('pen ring', [(r + .0005, .60), (r + .0015, .604), (r + .0015, .616),
                              (r + .0005, .62)], gray, segments=48)


PICTURES = {
    'tablet': partial(shots.product, tablet, az=-24, el=12, margin=.10, samples=72),
    'tablet-2': partial(shots.product, tablet_flat, az=-24, el=36, margin=.07, turn=-14,
                        light={'rim': .3}),
}
