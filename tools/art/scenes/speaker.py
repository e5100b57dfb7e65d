"""Smart speaker, 13.6 cm wide and 11.4 cm high: a cloth barrel with a concave top that slopes forward."""
import math
from functools import partial

import numpy as np
from mathutils import Matrix

import materials
import shapes
import shots

RADIUS, HEIGHT = .68, 1.12
RIM = .47           # radius at which the cloth ends and the dish begins
LEAN = .18          # slope of the top toward the listener


def speaker(dark='#1f2022', light='#525457'):
    """Builds the charcoal cloth and the dark dish with a light ring, a button and four microphones."""
    dish = materials.plain('dish', (.020, .020, .022), rough=.38)
    cream = materials.plain('cream', '#e3d0ae', rough=.5, coat=.1, coat_rough=.3)
    glow = materials.plain('ring of light', (.02, .01, 0), emit='#ffb454', emit_strength=1.0)
    parts = [
        shapes.lathe('foot', [(0, 0), (.50, 0), (.50, .05), (0, .05)],
                     materials.plain('foot', (.01, .01, .01), rough=.6)),
        shapes.lathe('cloth', barrel(), materials.cloth('cloth', dark, light, 46, 10.75),
                     segments=224),
        shapes.lathe('rim', [(RIM + .012, HEIGHT - .010), (RIM + .006, HEIGHT + .006),
                             (RIM - .008, HEIGHT + .006), (RIM - .014, HEIGHT - .008)], dish),
        shapes.lathe('ring of light', [(RIM - .014, HEIGHT - .008), (RIM - .040, HEIGHT - .024)],
                     glow, segments=192),
        shapes.lathe('dish', [(r, dish_height(r)) for r in np.linspace(RIM - .04, 0, 14)], dish,
                     segments=192),
        shapes.lathe('button', shapes.round_profile(.105, HEIGHT - .12, HEIGHT - .052, .01, .018),
                     cream, segments=96),
    ]
    for a in (45, 135, 225, 315):
        parts += microphone(math.radians(a))
    for part in parts:
        lean(part)


def microphone(a, radius=.27):
    """Builds a small hole with a bright, flat edge that follows the dish."""
    edge = materials.plain('microphone edge', (.16, .16, .165), rough=.45, metal=.6)
    hole = materials.plain('hole', (0, 0, 0), rough=.9, spec=0)
    made = [shapes.lathe('microphone edge', [(.014, .0015), (.017, .0035), (.022, .0035), (.025, 0)],
                         edge, segments=48),
            shapes.lathe('microphone', [(0, .0015), (.0145, .0015)], hole, segments=48)]
    for part in made:
        for vertex in part.data.vertices:
            vertex.co.x += radius * math.cos(a)
            vertex.co.y += radius * math.sin(a)
            vertex.co.z += dish_height(math.hypot(vertex.co.x, vertex.co.y))
    return made


def speaker_with_cord():
    """Also adds the power cord and its plug, for views from behind."""
    speaker()
    black = materials.plain('cord', (.012, .012, .013), rough=.45)
    collar = shapes.lathe('cord collar', shapes.round_profile(.045, 0, .10, .005, .02), black,
                          segments=32)
    collar.matrix_world = shapes.move(0, .50, .075) @ shapes.FACE_BACK
    shapes.tube('cord', [(0, .56, .075), (0, .72, .06), (.07, .88, .03), (.30, 1.0, .025),
                         (.56, .94, .025), (.76, .80, .06), (.94, .74, .10), (1.0, .74, .11)],
                .022, black)
    plug = shapes.lathe('plug', [(0, 0), (.035, 0), (.04, .06), (.095, .10), (.11, .13), (.11, .28),
                                 (.10, .30), (0, .30)], black, segments=48)
    plug.matrix_world = shapes.move(.97, .74, .11) @ Matrix.Rotation(math.radians(90), 4, 'Y')
    steel = materials.plain('pin', (.80, .80, .81), rough=.2, metal=1)
    for y in (-.055, .055):
        pin = shapes.slab('pin', shapes.rounded_rect(.06, .014, .006, 3), .29, .46, steel, bevel=0)
        pin.matrix_world = plug.matrix_world @ shapes.move(0, y, 0)


def barrel():
    """Returns the profile of the cloth: narrow at the foot, widest below the middle, round at the top."""
    profile = [(.50 + (RADIUS - .50) * math.cos(a) ** .85, .42 - .39 * math.sin(a) ** .95)
               for a in np.radians(np.linspace(90, 0, 24))]
    profile += [(RADIUS - .16 * (z - .42) ** 2, z) for z in np.linspace(.46, .82, 8)]
    last = profile[-1][0]
    profile += [(RIM + (last - RIM) * math.cos(a), .82 + (HEIGHT - .82) * math.sin(a))
                for a in np.radians(np.linspace(8, 90, 14))]
    return profile


def dish_height(r):
    """Returns the height of the dish at radius r."""
    return HEIGHT - .09 + .066 * (r / (RIM - .04)) ** 2


def lean(part):
    """Slopes the top toward the front. The foot stays level."""
    for vertex in part.data.vertices:
        vertex.co.z += LEAN * vertex.co.y * (max(vertex.co.z, 0) / HEIGHT) ** 2
    part.data.update()


PICTURES = {
    'speaker': partial(shots.product, speaker, az=-20, el=20, margin=.12, samples=24,
                       light=shots.DARK),
    'speaker-2': partial(shots.product, speaker, az=-20, el=50, margin=.12, light=shots.DARK),
    'speaker-3': partial(shots.detail, speaker, az=-24, el=38, target=(-.12, -.22, 1.02), width=.92,
                         samples=14, light=shots.DARK),
    'speaker-4': partial(shots.product, speaker_with_cord, az=-20, el=22, margin=.08, turn=172,
                         light=shots.DARK),
}
