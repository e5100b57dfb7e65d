"""The parts that both monitors share: a curved screen on an adjustable stand."""
import math

from mathutils import Matrix

import materials
import shapes
import studio
from shapes import move

COLUMN_Y = .98      # axis of the stand's column, behind the screen
HINGE_Y = .56       # axis around which the screen tilts
GLOSS = {'soft': 1.5, 'fill': 1.8}      # a large fill light, which the screen reflects


def curved_screen(width, height, radius, picture, foot, lift=1.15, tilt=4):
    """Builds a monitor.

    width, height  size of the lit area
    radius         of the curve
    foot           width and depth
    lift           height of the lit area above the table
    tilt           of the screen, upward, in degrees
    """
    shell = materials.plain('shell', (.020, .020, .022), rough=.45, spec=.25)
    metal = materials.plain('stand metal', (.085, .085, .09), rough=.36, metal=.85)
    center = lift + height / 2

    def screen():
        screen_front(width, height, radius, picture, lift, shell)
        screen_back(width, height, radius, lift, shell)
        mount = shapes.slab('mount', shapes.rounded_rect(.95, .95, .14), 0, .07, shell, bevel=.03)
        mount.matrix_world = move(0, .49, center) @ shapes.FACE_BACK

    root, _ = studio.group('screen', screen)
    root.matrix_world = (move(0, HINGE_Y, center) @ Matrix.Rotation(math.radians(-tilt), 4, 'X')
                         @ move(0, -HINGE_Y, -center))
    screen_stand(center, foot, metal, shell)


def screen_front(width, height, radius, picture, lift, shell):
    """Builds the frame, the shell behind its seam, the glass, the lit area, the chin and the power
    light, all with the same curve.
    """
    low, high = lift, lift + height
    frame = materials.plain('frame', (.026, .026, .028), rough=.3, spec=.4)
    dark = materials.plain('seam', (.002, .002, .002), rough=.8, spec=.1)
    glass = materials.plain('glass', (.004, .004, .005), rough=.12)
    lit = materials.picture('screen', picture, rough=.10, spec=.5, emit_strength=1.5)
    chin = materials.plain('chin', (.03, .03, .033), rough=.38)
    led = materials.plain('power light', (1, 1, 1), emit='#ffb454', emit_strength=1.6)

    shapes.bent_box('frame', width + .16, low - .19, high + .08, -.02, .09, radius, frame,
                    bevel=.02)
    shapes.bent_box('seam', width + .13, low - .175, high + .065, .05, .15, radius, dark, bevel=0)
    shapes.bent_box('shell', width + .16, low - .19, high + .08, .105, .34, radius, shell,
                    bevel=.045)
    shapes.bent_box('glass', width + .12, low - .02, high + .06, -.03, 0, radius, glass,
                    bevel=.008, bevel_segments=2)
    shapes.bent_sheet('screen', width - .02, low + .04, high, -.036, radius, lit)
    shapes.bent_box('chin', width + .14, low - .18, low - .04, -.05, 0, radius, chin, bevel=.02)
    dot = shapes.lathe('power light', [(0, .010), (.014, .007), (.017, 0)], led, segments=24)
    x, y = shapes.bend(width / 2 - .35, -.052, radius)
    dot.matrix_world = move(x, y, low - .11) @ shapes.FACE_FRONT


def on_back(item, x, z, depth, radius):
    """Attaches a flat part, built at the origin, to the curved back, `depth` behind the screen."""
    px, py = shapes.bend(x, depth, radius)
    item.matrix_world = (move(px, py, z) @ Matrix.Rotation(-x / radius, 4, 'Z')
                         @ shapes.FACE_BACK)


def screen_back(width, height, radius, lift, shell):
    """Builds the housing with a row of cooling slots, the sockets, a menu knob and a label."""
    center = lift + height / 2
    half = min(width * .33, 2.4)
    housing = materials.grain(materials.plain('housing', (.034, .034, .036), rough=.42, spec=.35),
                              scale=70, distance=.0012)
    black = materials.plain('slot', (.002, .002, .002), rough=.8, spec=.1)
    shapes.bent_box('housing', half * 2, center - 1.15, center + 1.0, .30, .50, radius, housing,
                    bevel=.09, bevel_segments=5)

    pill = shapes.rounded_rect(.030, .20, .014, 4)
    for i in range(27):
        slot = shapes.slab('cooling slot', pill, 0, .006, black, bevel=0)
        on_back(slot, (i - 13) * half * .065, center + .74, .499, radius)
    sockets(center - .84, half * .56, radius, black)
    knob = shapes.lathe('menu knob', shapes.round_profile(.06, 0, .05, .01, .02), shell,
                        segments=32)
    on_back(knob, -half + .35, center - .84, .499, radius)
    label = shapes.slab('label', shapes.rounded_rect(.66, .36, .03, 4), 0, .004,
                        materials.picture('label', 'monitor-label.png', rough=.6), bevel=0)
    on_back(label, -half * .56, center - .50, .499, radius)


def sockets(z, middle, radius, black):
    """Builds two HDMI sockets, one DisplayPort and the power inlet in a dark, labeled field."""
    rim = materials.plain('socket rim', (.20, .20, .21), rough=.35, metal=.9)
    tongue = materials.plain('socket tongue', (.035, .035, .037), rough=.5)
    print_on_field = materials.picture('socket field', 'socket-labels.png', rough=.5, spec=.3)
    field = shapes.slab('socket field', shapes.rounded_rect(1.42, .34, .06, 6), 0, .010,
                        print_on_field, bevel=.004)
    on_back(field, middle, z, .497, radius)

    def put(outline, top, surface, dx, dy=0):
        """Attaches a part to the flat field. On the curved shell the outer parts would sink in."""
        part = shapes.slab('socket', [(x + dx, y + dy) for x, y in outline], 0, top, surface,
                           bevel=0)
        part.matrix_world = field.matrix_world @ move(0, 0, .004)

    for dx, outline in ((-.50, hdmi), (-.20, hdmi), (.10, display_port), (.50, inlet)):
        put(outline(.012), .014, rim, dx)
        put(outline(0), .016, black, dx)
    for dx, width in ((-.50, .13), (-.20, .13), (.10, .14)):
        put(shapes.rounded_rect(width, .014, .005, 3), .018, tongue, dx)
    for dx, dy in ((-.06, .02), (0, -.03), (.06, .02)):
        put(shapes.rounded_rect(.018, .045, .004, 3), .018, rim, .50 + dx, dy)


def hdmi(edge):
    """Returns the outline, y down: both lower corners are cut."""
    return grown([(-.10, -.04), (.10, -.04), (.10, .005), (.07, .04), (-.07, .04), (-.10, .005)],
                 edge)


def display_port(edge):
    """Returns the outline, y down: one corner is cut."""
    return grown([(-.11, -.04), (.11, -.04), (.11, .01), (.08, .04), (-.11, .04)], edge)


def inlet(edge):
    """Returns the outline, y down: both upper corners are cut."""
    return grown([(-.09, -.09), (.09, -.09), (.13, -.05), (.13, .09), (-.13, .09), (-.13, -.05)],
                 edge)


def grown(outline, edge):
    """Returns the outline, about `edge` larger on every side."""
    return [(x + math.copysign(edge, x), y + math.copysign(edge, y)) for x, y in outline]


def screen_stand(center, foot, metal, shell):
    """Builds the foot, the column with its rail, the arm and an apricot ring."""
    width, depth = foot
    plate = shapes.slab('foot', shapes.rounded_rect(width, depth, .30, 12), .02, .13, metal,
                        bevel=.035, bevel_segments=4)
    plate.location = (0, COLUMN_Y - depth / 2 + .42, 0)
    pad = shapes.slab('pad', shapes.rounded_rect(width - .2, depth - .2, .22, 12), 0, .03, shell,
                      bevel=0)
    pad.location = plate.location

    shapes.slab('column', shapes.rounded_rect(.46, .26, .12, 10), .10, center + .62, metal,
                bevel=.03).location = (0, COLUMN_Y, 0)
    dark = materials.plain('rail', (.004, .004, .004), rough=.6)
    rail = shapes.slab('rail', shapes.rounded_rect(.075, center - .75, .037, 8), 0, .006, dark,
                       bevel=0)
    rail.matrix_world = move(0, COLUMN_Y + .128, center / 2 + .78) @ shapes.FACE_BACK
    hole = shapes.lathe('cable hole', [(0, .005), (.105, .005), (.105, 0)], dark, segments=64)
    hole.matrix_world = move(0, COLUMN_Y + .128, .62) @ shapes.FACE_BACK
    ring = shapes.ring('cable ring', .110, .014,
                       materials.plain('apricot', '#ffb454', rough=.45))
    ring.matrix_world = move(0, COLUMN_Y + .130, .62) @ shapes.FACE_BACK

    arm = shapes.slab('arm', shapes.rounded_rect(.34, .50, .08, 8), .50, COLUMN_Y, metal, bevel=.03)
    arm.matrix_world = move(0, 0, center) @ shapes.FACE_BACK
