"""How a picture is taken: one product on transparent ground, or a whole banner.

A scene's PICTURES names its pictures and gives each one of these functions with its options filled in.
"""
import bpy

import post
import studio

SQUARE = (1280, 1280)
DARK = {'world': .22, 'key': 1.15, 'rim': 2.2, 'fill': .35}      # dark, matt: edges need the rims
BEHIND = {'world': .50, 'key': 1.5, 'rim': 2.0, 'fill': 1.3}     # black backs: more of everything
DRAFT_SCALE = .32
DRAFT_SAMPLES = 48


def product(build, path, draft, az, el, margin, size=SQUARE, turn=0, samples=52, light=None):
    """One product on transparent ground.

    az, el   camera direction in degrees (az 0 = front, negative = from the left; el = from above)
    turn     degrees the product is turned on the floor; the lights stay with the camera
    margin   free share of the frame's width left and right (and of its height)
    light    factors for studio.softboxes plus `world`, the strength of the grey dome
    """
    width, height, samples = resolution(size, samples, draft)
    studio.reset()
    studio.settings(width, height, samples)
    root, objects = studio.group(build.__name__, build)
    studio.place(root, turn=turn)
    bpy.context.view_layer.update()
    _, centre, radius = studio.frame(objects, az, el, margin, aspect=height / width)
    light = {'world': .38} | (light or {})
    studio.world(light.pop('world'))
    studio.softboxes(centre, radius, **light)
    post.product_shot(path, objects, studio.floor(), samples)


def banner(build, path, draft, size, samples=72):
    """One banner, which brings its own set, light and camera."""
    width, height, samples = resolution(size, samples, draft)
    studio.reset()
    studio.settings(width, height, samples, transparent=False)
    build()
    post.full_shot(path, samples)


def resolution(size, samples, draft):
    """Width, height and samples; drafts are small and coarse."""
    if not draft:
        return *size, samples
    return *(round(side * DRAFT_SCALE) for side in size), DRAFT_SAMPLES
