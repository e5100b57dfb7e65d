"""Smart speaker, 13.6 cm wide and 11.4 cm high: a cloth barrel with a level, sunken top."""
import math
from functools import partial

import numpy as np
from mathutils import Matrix

import materials
import shapes
import shots
from plug import plug

RADIUS, HEIGHT = .68, 1.14
RIM = .50           # radius at which the cloth ends and the top begins
LIGHT = {'world': .27, 'key': 1.2, 'rim': 1.5, 'fill': .5, 'soft': 1.5}


def speaker(dark='#26272b', light='#7b7d83'):
    """Builds the charcoal cloth and the dark top with a light ring, a button and four microphones."""
    black = materials.plain('top', (.016, .016, .018), rough=.5, spec=.35)
    cream = materials.plain('cream', '#e3d0ae', rough=.5, coat=.1, coat_rough=.3)
    glow = materials.plain('ring of light', (.02, .01, 0), emit='#ffb454', emit_strength=1.0)
    shapes.lathe('foot', shapes.round_profile(.52, 0, .06, .012, 0), black)
    sleeve = shapes.lathe('cloth', barrel(), materials.cloth('cloth', dark, light, 440, 142),
                          segments=224)
    fit_cloth(sleeve)
    shapes.lathe('rim', [(RIM + .010, HEIGHT - .022), (RIM + .006, HEIGHT - .004), (RIM, HEIGHT),
                         (RIM - .010, HEIGHT - .001), (RIM - .016, HEIGHT - .008),
                         (RIM - .018, HEIGHT - .034)], black, segments=224)
    shapes.lathe('ring of light', [(RIM - .018, HEIGHT - .028), (RIM - .046, HEIGHT - .034)], glow,
                 segments=224)
    shapes.lathe('top', [(RIM - .046, HEIGHT - .040), (RIM - .047, HEIGHT - .031),
                         (RIM - .050, HEIGHT - .028)]
                 + [(r, top_height(r)) for r in np.linspace(RIM - .056, 0, 14)], black, segments=224)
    shapes.lathe('button', shapes.round_profile(.105, HEIGHT - .10, HEIGHT - .018, .01, .014), cream,
                 segments=128)
    shapes.lathe('groove', [(.118, top_height(.118) + .0006), (.104, top_height(.104) + .0006)],
                 materials.plain('groove', (.002, .002, .002), rough=.9, spec=0), segments=128)
    for a in (45, 135, 225, 315):
        microphone(math.radians(a))


def fit_cloth(sleeve):
    """Scales the cloth's UV map to 0..1."""
    layer = sleeve.data.uv_layers[0].data
    longest = max(corner.uv[1] for corner in layer)
    for corner in layer:
        corner.uv[1] /= longest


def microphone(a, radius=.30):
    """Builds a small hole with a bright edge."""
    edge = materials.plain('microphone edge', (.09, .09, .094), rough=.45, metal=.6)
    hole = materials.plain('hole', (0, 0, 0), rough=.9, spec=0)
    made = [shapes.lathe('microphone edge', [(.012, .0005), (.0135, .002), (.016, .002), (.018, 0)],
                         edge, segments=48),
            shapes.lathe('microphone', [(0, .001), (.0125, .001)], hole, segments=48)]
    for part in made:
        part.location = (radius * math.cos(a), radius * math.sin(a), top_height(radius))


def speaker_with_cord():
    """Also adds the power cord and its plug, for views from behind."""
    speaker()
    black = materials.plain('cord', (.012, .012, .013), rough=.45)
    collar = shapes.lathe('cord collar', shapes.round_profile(.045, 0, .10, .005, .02), black,
                          segments=32)
    collar.matrix_world = shapes.move(0, .60, .085) @ shapes.FACE_BACK
    shapes.tube('cord', [(0, .66, .085), (0, .78, .065), (.07, .90, .03), (.30, 1.0, .025),
                         (.56, .94, .025), (.76, .80, .06), (.94, .74, .10), (1.0, .74, .11)],
                .022, black)
    plug(shapes.move(.97, .74, .11) @ Matrix.Rotation(math.radians(90), 4, 'Y'), black)


def barrel():
    """Returns the profile of the cloth: an upright barrel whose upper edge is rounder than the lower."""
    low, middle, high = .03, .50, HEIGHT - .008
    profile = []
    for a in np.radians(np.linspace(-90, 90, 91)):
        power, height = (4.6, middle - low) if a < 0 else (3.7, high - middle)
        out = abs(math.cos(a)) ** (2 / power)
        up = math.copysign(abs(math.sin(a)) ** (2 / power), a)
        profile.append((RIM + (RADIUS - RIM) * out, middle + height * up))
    return profile


def top_height(r):
    """Returns the height of the top at radius r."""
    return HEIGHT - .045 + .018 * (r / (RIM - .056)) ** 2


PICTURES = {
    'speaker': partial(shots.product, speaker, az=-20, el=20, margin=.12, fine=True, light=LIGHT),
    'speaker-2': partial(shots.product, speaker, az=-20, el=50, margin=.12, fine=True, light=LIGHT),
    'speaker-3': partial(shots.detail, speaker, az=-24, el=36, target=(-.10, -.30, 1.02), width=.86,
                         light=LIGHT),
    'speaker-4': partial(shots.product, speaker_with_cord, az=-20, el=22, margin=.08, turn=172,
                         fine=True, light=LIGHT),
}
