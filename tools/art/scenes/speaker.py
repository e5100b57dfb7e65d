"""Smart speaker, 13.6 cm wide and 11.4 cm high: a cloth barrel with a concave top that slopes forward."""
import math
from functools import partial

import numpy as np

import materials
import shapes
import shots

RADIUS, HEIGHT = .68, 1.12
RIM = .47           # radius at which the cloth ends and the dish begins
LEAN = .18          # slope of the top toward the listener


def speaker(dark='#17181a', light='#595b5e'):
    """Builds the charcoal cloth and the dark dish with a light ring, a button and four microphones."""
    dish = materials.plain('dish', (.020, .020, .022), rough=.38)
    cream = materials.plain('cream', '#e3d0ae', rough=.5, coat=.1, coat_rough=.3)
    glow = materials.plain('ring of light', (.02, .01, 0), emit='#ffb454', emit_strength=1.0)
    parts = [
        shapes.lathe('foot', [(0, 0), (.50, 0), (.50, .05), (0, .05)],
                     materials.plain('foot', (.01, .01, .01), rough=.6)),
        shapes.lathe('cloth', barrel(), materials.cloth('cloth', dark, light, 92, 21.5),
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
    hole = materials.plain('hole', (0, 0, 0), rough=.9)
    edge = materials.plain('microphone edge', (.30, .29, .28), rough=.4, metal=.8)
    for a in np.radians((45, 135, 225, 315)):
        for name, profile, surface in (('edge', [(.015, -.02), (.015, .002), (.021, .002),
                                                 (.021, -.02)], edge),
                                       ('hole', [(0, .001), (.015, .001)], hole)):
            part = shapes.lathe(name, profile, surface, segments=32)
            part.data.transform(shapes.move(.27 * math.cos(a), .27 * math.sin(a), dish_height(.27)))
            parts.append(part)
    for part in parts:
        lean(part)


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
    'speaker': partial(shots.product, speaker, az=-20, el=20, margin=.12, samples=64,
                       light=shots.DARK),
    'speaker-2': partial(shots.product, speaker, az=-20, el=50, margin=.12, light=shots.DARK),
}
