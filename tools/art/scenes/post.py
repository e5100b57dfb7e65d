"""Renders and post-processes a scene: two half renders, denoising, soft shadow, compositing.

Debian's Blender has no Open Image Denoise, so this file has a denoiser in NumPy.
Pictures are float32 arrays (height, width, 4), bottom row first.
"""
import os
import shutil
import tempfile

import bpy
import numpy as np

import materials
import studio

SEED_A, SEED_B = 11, 29     # fixed, so that every run gives the same picture
SHADOW_REACH = .55      # of the product's bounding radius

# The denoiser's passes: reach, step, least variance and strength.
PASSES = ((4, 1, 2e-6, .6), (2, 6, 1.2e-5, .6))
FINE_PASSES = ((3, 1, 1e-6, .45),)


# Files ------------------------------------------------------------------------------------------
def load(path):
    """Reads a PNG (straight alpha) or EXR (premultiplied alpha) without color conversion."""
    image = bpy.data.images.load(path, check_existing=False)
    image.colorspace_settings.name = 'Non-Color'
    image.alpha_mode = 'STRAIGHT' if path.endswith('png') else 'PREMUL'
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)


def save(path, picture):
    """Writes an 8-bit PNG."""
    height, width = picture.shape[:2]
    image = bpy.data.images.new('result', width, height, alpha=True)
    image.alpha_mode = 'STRAIGHT'
    image.pixels.foreach_set(np.clip(picture, 0, 1).astype(np.float32).ravel())
    image.filepath_raw = path
    image.file_format = 'PNG'
    image.save()
    bpy.data.images.remove(image)


# Small filters ----------------------------------------------------------------------------------
def smooth(t):
    """Smoothstep: 0 at t = 0, 1 at t = 1."""
    t = np.clip(t, 0, 1)
    return t * t * (3 - 2 * t)


def box(a, radius):
    """Returns the mean over squares of 2 * radius + 1 pixels. Repeats the edges."""
    size = 2 * radius + 1
    for axis in (0, 1):
        first = np.repeat(np.take(a, [0], axis), radius + 1, axis)
        last = np.repeat(np.take(a, [-1], axis), radius, axis)
        total = np.cumsum(np.concatenate([first, a, last], axis), axis, dtype=np.float64)
        high = np.take(total, range(size, total.shape[axis]), axis)
        low = np.take(total, range(0, total.shape[axis] - size), axis)
        a = ((high - low) / size).astype(np.float32)
    return a


def blur(a, radius):
    """Approximates a Gaussian blur with three box filters."""
    for _ in range(3):
        a = box(a, radius)
    return a


def shift(a, dy, dx):
    """Moves the picture by whole pixels and wraps around."""
    return np.roll(a, (dy, dx), (0, 1))


def mean3(a):
    """Returns the mean over 3 x 3 pixels and wraps around. Faster than box(a, 1)."""
    a = np.roll(a, 1, 0) + a + np.roll(a, -1, 0)
    return (np.roll(a, 1, 1) + a + np.roll(a, -1, 1)) / 9


def enlarge(a, height, width):
    """Enlarges a picture with bilinear interpolation."""
    y = np.clip((np.arange(height) + .5) * a.shape[0] / height - .5, 0, a.shape[0] - 1)
    x = np.clip((np.arange(width) + .5) * a.shape[1] / width - .5, 0, a.shape[1] - 1)
    y0, x0 = np.floor(y).astype(int), np.floor(x).astype(int)
    y1, x1 = np.minimum(y0 + 1, a.shape[0] - 1), np.minimum(x0 + 1, a.shape[1] - 1)
    fy, fx = (y - y0)[:, None, None], (x - x0)[:, None]
    lower = a[y0][:, x0] * (1 - fx) + a[y0][:, x1] * fx
    upper = a[y1][:, x0] * (1 - fx) + a[y1][:, x1] * fx
    return lower * (1 - fy) + upper * fy


# Denoising --------------------------------------------------------------------------------------
def denoise(a, b, features, passes=PASSES):
    """Denoises two independent renders (premultiplied, display colors) and returns their mean.

    With few samples, a second pass compares pixels that are farther apart. It removes the faint
    blotches that the first pass leaves on plain surfaces. Only the box around the product is
    processed.
    """
    rows, columns = (np.flatnonzero((a[..., 3] + b[..., 3]).max(axis) > 0) for axis in (1, 0))
    result = (a + b) / 2
    if not rows.size:
        return result                   # a detail without a shadow
    seen = np.s_[max(0, rows[0] - 15):rows[-1] + 16, max(0, columns[0] - 15):columns[-1] + 16]
    a, b, features = a[seen], b[seen], features[seen]
    for each in passes:
        a, b = non_local_means(a, b, features, *each)
    result[seen] = (a + b) / 2
    return result


def non_local_means(a, b, features, reach, step, least, strength):
    """Returns both renders, denoised with each other: every pixel becomes a weighted mean of pixels
    up to `reach` times `step` pixels away.

    The similarity of 3 x 3 patches in one render is the weight of pixels in the other, so that
    noise does not match itself. (a - b)^2 / 2 estimates the variance, which is at least `least`.
    `features` (normals and surface colors, almost free of noise) keep edges and print sharp.
    """
    variance = np.maximum(blur(((a - b) ** 2 / 2)[..., :3].mean(2), 3), np.float32(least))
    offsets = [(dy * step, dx * step) for dy in range(-reach, reach + 1)
               for dx in range(-reach, reach + 1)]
    totals = np.zeros_like(a), np.zeros_like(b)
    weights = np.zeros((2, *a.shape[:2]), np.float32)
    for dy, dx in offsets:
        there = shift(variance, dy, dx)
        moved = shift(a, dy, dx), shift(b, dy, dx)
        unlike = features - shift(features, dy, dx)
        unlike = np.einsum('ijk,ijk->ij', unlike, unlike) / np.float32(.02)
        for i, (guide, guide_moved, source) in enumerate(((b, moved[1], moved[0]),
                                                          (a, moved[0], moved[1]))):
            distance = (guide - guide_moved)[..., :3]
            distance = np.einsum('ijk,ijk->ij', distance, distance) / np.float32(3)
            distance -= variance + np.minimum(variance, there)
            distance /= np.float32(1e-7) + np.float32(strength ** 2) * (variance + there)
            weight = np.exp(-np.maximum(mean3(distance), 0) - unlike)
            totals[i][...] += weight[..., None] * source
            weights[i] += weight
    return tuple(total / weight[..., None] for total, weight in zip(totals, weights))


# Rendering --------------------------------------------------------------------------------------
FEATURES = (('Normal', 'normal', .25), ('DiffCol', 'diffuse', 1.0), ('GlossCol', 'gloss', .5))


def feature_output(folder, on):
    """Turns the denoiser's feature passes on, written to `folder`, or off."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    layer.use_pass_normal = on
    layer.use_pass_diffuse_color = on
    layer.use_pass_glossy_color = on
    scene.use_nodes = on
    if not on:
        return
    tree = scene.node_tree
    tree.nodes.clear()
    layers = tree.nodes.new('CompositorNodeRLayers')
    result = tree.nodes.new('CompositorNodeComposite')
    tree.links.new(layers.outputs['Image'], result.inputs[0])
    files = tree.nodes.new('CompositorNodeOutputFile')
    files.base_path = folder
    files.format.file_format = 'OPEN_EXR'
    files.format.color_depth = '32'
    files.format.color_mode = 'RGBA'
    files.file_slots.clear()
    for output, name, _ in FEATURES:
        files.file_slots.new(name)
        tree.links.new(layers.outputs[output], files.inputs[name])


def render_pass(path, seed, samples, percent=100):
    """Renders with the given seed and returns the picture."""
    scene = bpy.context.scene
    scene.cycles.seed = seed
    scene.cycles.samples = samples
    scene.render.resolution_percentage = percent
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    return load(path)


def beauty(samples, fine):
    """Returns the picture without shadow, premultiplied: two half renders, denoised."""
    folder = tempfile.mkdtemp(prefix='render-')
    try:
        feature_output(folder, True)
        a = render_pass(os.path.join(folder, 'a.png'), SEED_A, samples // 2)
        feature_output(folder, False)
        b = render_pass(os.path.join(folder, 'b.png'), SEED_B, samples // 2)
        frame = bpy.context.scene.frame_current
        features = [load(os.path.join(folder, '%s%04d.exr' % (name, frame)))[..., :3] * weight
                    for _, name, weight in FEATURES]
    finally:
        shutil.rmtree(folder)
    for half in (a, b):
        half[..., :3] *= half[..., 3:]
    guide = np.nan_to_num(np.clip(np.concatenate(features, 2), -2, 2))
    return denoise(a, b, guide, FINE_PASSES if fine else PASSES)


def render_floor(objects, floor, width, samples):
    """Returns the floor without the product (display colors, alpha), `width` pixels wide: two half
    renders, denoised.
    """
    percent = round(100 * width / bpy.context.scene.render.resolution_x)
    for item in objects:
        item.visible_camera = False
    floor.visible_camera = True
    folder = tempfile.mkdtemp(prefix='render-')
    try:
        halves = [render_pass(os.path.join(folder, 'floor.png'), seed, samples // 2, percent)
                  for seed in (SEED_A, SEED_B)]
    finally:
        shutil.rmtree(folder)
    return denoise(*halves, np.zeros_like(halves[0]), PASSES[:1])


def shadow(objects, floor):
    """Returns the shadow (0..1) that the product casts on the floor.

    Only the dome and a smaller key light cast it: with the lights from all sides, it would be a
    halo.
    """
    for light in [item for item in bpy.data.objects if item.type == 'LIGHT']:
        light.hide_render = light.name != 'key'
        light.data.size *= .6
        light.data.size_y *= .6
    floor.is_shadow_catcher = True
    dark = render_floor(objects, floor, 320, 64)[..., 3:]
    floor.is_shadow_catcher = False
    return blur(dark, 2)


def occlusion(objects, floor, radius):
    """Returns how much of the sky the product hides from the floor (0..1): within a short
    distance, which is dark only at the contact, and within a long distance.
    """
    floor.data.materials[0] = materials.occlusion(.035 * radius, .30 * radius)
    light = render_floor(objects, floor, 640, 16)
    hidden = (1 - np.clip(light, 0, 1) ** 2.2) * light[..., 3:]
    return hidden[..., :1], blur(hidden[..., 1:2], 4)


def spill(objects, floor):
    """Returns the light (r, g, b) of the product's screens and lamps on the floor, without any other."""
    for light in [item for item in bpy.data.objects if item.type == 'LIGHT']:
        light.hide_render = True
    dome = bpy.context.scene.world.node_tree.nodes['Background']
    dome.inputs['Strength'].default_value = 0
    return blur(render_floor(objects, floor, 320, 64)[..., :3], 4)


def ground(height, width):
    """Returns the point (x, y) of the floor that each pixel shows, far away above the horizon."""
    camera = bpy.context.scene.camera
    top_right, _, bottom_left, _ = (np.array(corner) for corner in
                                    camera.data.view_frame(scene=bpy.context.scene))
    y, x = np.mgrid[0:height, 0:width]
    x, y = (x + .5) / width, (y + .5) / height
    rays = np.stack([bottom_left[0] + (top_right[0] - bottom_left[0]) * x,
                     bottom_left[1] + (top_right[1] - bottom_left[1]) * y,
                     np.full((height, width), top_right[2])], 2)
    matrix = np.array(camera.matrix_world)
    rays = rays @ matrix[:3, :3].T
    distance = -matrix[2, 3] / np.minimum(rays[..., 2], -1e-3)
    return matrix[:2, 3] + rays[..., :2] * distance[..., None]


def fade(points, radius, height, width):
    """Returns the strength of the shadow (0..1) at each pixel, from the product's vertices and radius.

    It decreases with the distance from the part of the product that stands on the floor, so that
    the shadow of a large screen ends softly and not with the outline of the screen. It is 0 at
    the edge of the frame.
    """
    foot = points[points[:, 2] < .15][:, :2]
    floor = ground(height, width)
    beside = np.maximum(np.maximum(foot.min(0) - floor, floor - foot.max(0)), 0)
    near = 1 - smooth(np.hypot(beside[..., 0], beside[..., 1]) / (SHADOW_REACH * radius))
    y, x = np.mgrid[0:height, 0:width]
    x, y = np.abs((x + .5) / width * 2 - 1), np.abs((y + .5) / height * 2 - 1)
    inside = 1 - smooth(((x ** 4 + y ** 4) ** .25 - .70) / .28)
    return near * inside


def product_shot(path, objects, floor, samples, fine):
    """Saves a transparent picture of the product over its shadow, which is black with alpha, tinted
    by the product's screens.

    The camera does not see the floor, but the floor still reflects light onto the product.
    """
    floor.visible_camera = False
    product = beauty(samples, fine)
    height, width = product.shape[:2]
    points = studio.world_points(objects)
    radius = np.linalg.norm(points.max(0) - points.min(0)) / 2
    maps = shadow(objects, floor), spill(objects, floor), *occlusion(objects, floor, radius)
    cast, glow, contact, near = (enlarge(each, height, width) for each in maps)
    dark = 1 - (1 - .62 * cast ** 1.3) * (1 - .45 * near) * (1 - .75 * contact)
    dark *= fade(points, radius, height, width)[..., None]

    below = np.concatenate([np.minimum(glow, 1) * dark, dark], 2)
    both = product + below * (1 - product[..., 3:])
    both[..., :3] /= np.maximum(both[..., 3:], 1e-4)
    save(path, both)


def full_shot(path, samples, ground_color=None):
    """Saves an opaque picture. Fixed noise of half a gray level prevents banding on smooth walls.

    ground_color   (r, g, b) in sRGB into which the lowest quarter of the picture fades
    """
    picture = beauty(samples, fine=True)
    picture[..., 3] = 1
    if ground_color:
        height = picture.shape[0]
        share = 1 - smooth(((np.arange(height) + .5) / height - .02) / .22)
        picture[..., :3] += (np.array(ground_color) - picture[..., :3]) * share[:, None, None]
    noise = np.random.default_rng(7).random((*picture.shape[:2], 1)) - .5
    picture[..., :3] += noise / 255
    save(path, picture)
