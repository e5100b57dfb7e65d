"""Stand mixer, 34 cm long and 35 cm high; the head points left (-x)."""
import math
from functools import partial

import numpy as np
from mathutils import Matrix

import materials
import shapes
import shots
import studio
from plug import plug
from shapes import move

BOWL_X = -.80       # axis of bowl and beater
COLUMN_X = 1.02     # axis of the column
SEAM = 2.36         # height at which the head separates from the column and tilts up
HEAD_SHAPE = 3.8    # superellipse exponent of the head's cross-section
DIAL = (.74, 2.91)  # axis of the dial: x and z
HINGE_X = 1.40      # axis around which the head tilts, at the height of the seam


def mixer(color='#a3121c', tilt=0):
    """Builds the enameled mixer: teardrop foot, straight column, wedge-shaped head, cream dial.

    `tilt` is the angle by which the head is raised.
    """
    look = {
        'enamel': materials.plain('enamel', color, rough=.5, coat=1, coat_rough=.02, spec=.25),
        'cream': materials.plain('cream', '#f4e7cf', rough=.42, coat=.25, coat_rough=.15),
        'steel': materials.plain('steel', (.50, .50, .515), rough=.2, metal=1, aniso=.5),
        'handle': materials.plain('handle', (.50, .50, .515), rough=.34, metal=.9),
        'black': materials.plain('black', (.012, .012, .013), rough=.45),
        'aluminum': materials.plain('aluminum', (.75, .75, .76), rough=.32, metal=.9),
    }
    mixer_foot(look)
    mixer_column(look)
    mixer_bowl(look)

    def head():
        mixer_head(look)
        mixer_dial(look)
        mixer_beater(look)

    root, _ = studio.group('head', head)
    root.matrix_world = (move(HINGE_X, 0, SEAM) @ Matrix.Rotation(math.radians(tilt), 4, 'Y')
                         @ move(-HINGE_X, 0, -SEAM))


def mixer_with_cord():
    """Also adds the power cord, for views from behind."""
    mixer()
    mixer_cord(materials.plain('cord', (.012, .012, .013), rough=.45))


def mixer_with_tools():
    """Builds the mixer with its head raised, and in front of it the whisk and the dough hook."""
    mixer(tilt=36)
    aluminum = materials.plain('aluminum', (.75, .75, .76), rough=.32, metal=.9)
    steel = materials.plain('wire', (.55, .55, .56), rough=.25, metal=.9)
    root, _ = studio.group('whisk', whisk, steel, aluminum)
    root.matrix_world = (move(-2.15, -1.72, .36) @ Matrix.Rotation(math.radians(-12), 4, 'Z')
                         @ Matrix.Rotation(math.radians(101), 4, 'Y'))
    root, _ = studio.group('dough hook', dough_hook, aluminum)
    root.matrix_world = (move(.15, -1.75, .10) @ Matrix.Rotation(math.radians(8), 4, 'Z')
                         @ Matrix.Rotation(math.radians(90), 4, 'Y')
                         @ Matrix.Rotation(math.radians(90), 4, 'Z'))


def whisk(wire, aluminum):
    """Builds the balloon whisk along z: wire loops at the origin, the socket at the other end."""
    for a in np.radians(range(0, 180, 30)):
        half = [(.05, 1.12), (.20, .92), (.315, .62), (.31, .34), (.19, .10)]
        loop = half + [(0, .04)] + [(-r, z) for r, z in reversed(half)]
        shapes.tube('wire', [(r * math.cos(a), r * math.sin(a), z) for r, z in loop], .015, wire)
    tool_socket(1.06, 1.52, aluminum)


def dough_hook(aluminum):
    """Builds the dough hook, a flat C with a twisted tip, along z."""
    path = [(0, 0, 1.30), (0, 0, 1.12), (.10, 0, .98), (.30, .02, .80), (.38, .03, .56),
            (.32, .03, .32), (.14, .03, .16), (-.08, .03, .14), (-.24, .06, .26)]
    shapes.tube('dough hook', path, .06, aluminum)
    tool_socket(1.24, 1.56, aluminum)


def tool_socket(low, high, aluminum):
    """Builds the part of a tool that is pushed onto the mixer's shaft."""
    shapes.lathe('tool socket', [(0, low)] + [(.07, low), (.095, low + .05), (.11, high - .16),
                 (.11, high - .02), (.09, high), (.055, high), (.05, high - .08), (0, high - .08)],
                 aluminum, segments=64)


def teardrop(front, back, steps=48):
    """Returns the outline around two circles: radius `front` below the bowl, `back` below the column."""
    tangent = math.acos((front - back) / (COLUMN_X - BOWL_X))
    outline = [(COLUMN_X + back * math.cos(a), back * math.sin(a))
               for a in np.linspace(-tangent, tangent, steps)]
    outline += [(BOWL_X + front * math.cos(a), front * math.sin(a))
                for a in np.linspace(tangent, 2 * math.pi - tangent, steps)]
    return outline


def mixer_foot(look):
    """Builds the slender foot, slightly above the table."""
    shapes.slab('shadow gap', teardrop(.93, .58), 0, .05, look['black'], bevel=0)
    shapes.slab('foot', teardrop(1.05, .70), .04, .27, look['enamel'], bevel=.09,
                bevel_segments=6)


def mixer_column(look):
    """Builds the straight column, wider at its foot, with a fine dark seam below the head."""
    stations = ((.24, .64), (.26, .60), (.30, .555), (.38, .515), (.50, .49), (.70, .475),
                (1.2, .46), (1.8, .452), (SEAM - .06, .45), (SEAM - .015, .449), (SEAM - .002, .442))
    rings = [[(COLUMN_X + x, y * .94, z) for x, y in shapes.superellipse(r, r, 2.3, 48)]
             for z, r in stations]
    shapes.loft('column', rings, look['enamel'])
    seam = shapes.lathe('seam', [(0, SEAM - .03), (.395, SEAM - .03), (.395, SEAM + .06),
                                 (0, SEAM + .06)], look['black'])
    seam.location = (COLUMN_X, 0, 0)


def mixer_head(look):
    """Builds a wedge with a level underside: high and round in the back, low and flat in front."""
    def station(x, shrink, level=0.0):
        """Returns the section at x, shrunk toward its middle. `level` 1 keeps the underside in place."""
        middle, tall, wide = head_section(x)
        middle -= tall * (1 - shrink) * level
        return [(x, y, middle + z) for y, z in
                shapes.superellipse(wide * shrink, tall * shrink, HEAD_SHAPE, 48)]

    front = [(-1.86, .2), (-1.86, .70), (-1.855, .82), (-1.84, .89), (-1.81, .94),
             (-1.76, .975), (-1.69, .993)]
    rings = [station(x, shrink) for x, shrink in front]
    rings += [station(x, 1) for x in np.linspace(-1.55, .90, 9)]
    for a in np.radians((8, 16, 24, 32, 40, 48, 56, 63, 69, 75, 80, 84)):
        rings.append(station(.98 + .56 * math.sin(a), math.cos(a) ** .66, 1))
    rings.append(station(1.54, .10, .9))
    shapes.loft('head', rings, look['enamel'])


def head_section(x):
    """Returns the head's center z, half height and half width at x, before its ends are rounded."""
    along = (x + 1.86) / 3.4
    low, high = SEAM + .004, 3.16 + .32 * along ** .8
    return (low + high) / 2, (high - low) / 2, .43 + .09 * along


def mixer_dial(look):
    """Builds the dial on a plate with six speeds, and on the other side the button that unlocks the head."""
    y = head_section(DIAL[0])[2] - .03
    plate = shapes.slab('dial plate', shapes.circle(.37), 0, .045,
                        materials.picture('dial plate', 'mixer-dial.png', rough=.42, coat=.25,
                                          coat_rough=.15), bevel=.008)
    plate.matrix_world = place_on_side(-y)
    dial = shapes.lathe('dial', [(0, .17), (.175, .17), (.195, .165), (.204, .15), (.215, .045),
                                 (.215, .04)], look['cream'], segments=128)
    groove = shapes.lathe('groove', [(.232, .0455), (.20, .0455)], look['black'], segments=128)
    mark = shapes.slab('mark', shapes.rounded_rect(.028, .12, .013), .168, .173, look['black'],
                       bevel=0)
    dial.matrix_world = groove.matrix_world = place_on_side(-y)
    mark.matrix_world = place_on_side(-y) @ Matrix.Rotation(math.radians(60), 4, 'Z') @ move(0, .10, 0)
    button = shapes.lathe('button', shapes.round_profile(.15, 0, .08, .01, .025), look['cream'],
                          segments=96)
    button.matrix_world = place_on_side(y)


def place_on_side(y):
    """Returns the transform for flat parts on a side of the head, at the dial's axis."""
    facing = shapes.FACE_FRONT if y < 0 else shapes.FACE_BACK
    return move(DIAL[0], y, DIAL[1]) @ facing


def mixer_beater(look):
    """Builds the collar, planetary gear, shaft and flat beater."""
    x = BOWL_X
    collar = shapes.lathe('collar', [(0, 2.30), (.34, 2.30), (.36, 2.32), (.36, SEAM + .1)],
                          look['black'])
    gear = shapes.lathe('gear', [(0, 2.22), (.26, 2.22), (.29, 2.24), (.29, 2.31)],
                        look['aluminum'])
    shaft = shapes.lathe('shaft', [(0, 1.6), (.07, 1.6), (.07, 2.25), (0, 2.25)], look['steel'],
                         segments=48)
    socket = shapes.lathe('socket', shapes.round_profile(.11, 1.72, 1.98, .02, .02),
                          look['aluminum'], segments=48)
    for part in (collar, gear, shaft, socket):
        part.location = (x, 0, 0)
    half = [(.30, 1.70), (.58, 1.45), (.54, .98), (.24, .62)]
    outline = [(x, 0, 1.75)] + [(x - dx, 0, z) for dx, z in half]
    outline += [(x, 0, .54)] + [(x + dx, 0, z) for dx, z in reversed(half)]
    shapes.tube('beater', outline, .05, look['aluminum'], closed=True)
    shapes.tube('beater stem', [(x, 0, 1.75), (x, 0, .56)], .045, look['aluminum'])


def mixer_bowl(look):
    """Builds the five-liter steel bowl: round below, straight above, rolled rim, one handle."""
    ring = shapes.lathe('clamp', [(0, .26), (.64, .26), (.64, .295), (.62, .31), (0, .31)],
                        look['aluminum'], segments=96)
    outside = [(0, .30), (.55, .30), (.58, .31)]
    outside += [(.58 + .50 * math.sin(a), .93 - .62 * math.cos(a))
                for a in np.radians(np.linspace(6, 90, 14))]
    lip = [(1.10, 1.90), (1.125, 1.925), (1.13, 1.945), (1.12, 1.965), (1.095, 1.965),
           (1.075, 1.94)]
    inside = [(x - .03, z + .02) for x, z in reversed(outside[3:])] + [(.4, .35), (0, .35)]
    bowl = shapes.lathe('bowl', outside + lip + inside, look['steel'], segments=160,
                        smooth_angle=50)
    for part in (ring, bowl):
        part.location = (BOWL_X, 0, 0)

    middle, out, up = 1.02, .43, .33
    wall = 1.07                              # the arc starts and ends inside the steel
    path = []
    for a in np.radians(np.linspace(-90, 90, 25)):
        r = max(wall, middle + out * max(0, math.cos(a)) ** .55)
        z = 1.42 + up * math.copysign(abs(math.sin(a)) ** .70, math.sin(a))
        path.append((BOWL_X - r, .03 * r, z))
    shapes.tube('handle', path, .052, look['handle'])


def mixer_cord(black):
    """Builds the power cord at the back of the foot."""
    collar = shapes.lathe('cord collar', shapes.round_profile(.075, 0, .14, .01, .03), black,
                          segments=32)
    collar.matrix_world = move(COLUMN_X + .44, 0, .58) @ Matrix.Rotation(math.radians(90), 4, 'Y')
    path = [(1.54, 0, .58), (1.86, .02, .50), (2.08, .10, .18), (2.14, .34, .045),
            (1.98, .80, .04), (1.62, 1.20, .06), (1.27, 1.53, .11), (1.21, 1.585, .11)]
    shapes.tube('cord', path, .034, black)
    plug(move(1.27, 1.53, .11) @ Matrix.Rotation(math.radians(-43), 4, 'Z') @ shapes.FACE_LEFT,
         black)


PICTURES = {
    'mixer': partial(shots.product, mixer, az=-24, el=12, margin=.10, samples=40),
    'mixer-2': partial(shots.product, mixer_with_cord, az=-24, el=15, margin=.08, turn=-149,
                       fine=True, light={'soft': 1.5}),
    'mixer-3': partial(shots.product, mixer_with_tools, az=-24, el=16, margin=.07, fine=True,
                       light={'soft': 1.5}),
    'mixer-4': partial(shots.detail, mixer, az=-15, el=7, target=(.74, -.5, 2.91), width=1.25,
                       light={'soft': 1.5}),
}
