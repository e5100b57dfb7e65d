"""The photo studio: render settings, world light, softboxes, floor, auto-framing camera.

One unit is 10 cm. The floor is z = 0, and the front of a product faces -y.
For Blender 3.4 with Cycles on the CPU, without a built-in denoiser (see post.py).
"""
import math

import bpy
import numpy as np
from mathutils import Matrix, Vector

import materials

SENSOR = 36.0       # sensor width in mm, to which focal lengths refer


def reset():
    """Removes everything from the scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)


def settings(width, height, samples, transparent=True):
    """Sets the renderer's options. Width and height are in pixels.

    The view transform is "Standard", because "Filmic" makes screens and red enamel milky.
    """
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    scene.render.threads_mode = 'AUTO'
    scene.render.film_transparent = transparent
    scene.render.resolution_x = width
    scene.render.resolution_y = height
    scene.render.resolution_percentage = 100

    cycles = scene.cycles
    cycles.device = 'CPU'
    cycles.samples = samples
    cycles.use_adaptive_sampling = True
    cycles.adaptive_threshold = 0.02
    cycles.adaptive_min_samples = 8
    cycles.max_bounces = 5
    cycles.diffuse_bounces = 2
    cycles.glossy_bounces = 4
    cycles.transmission_bounces = 4
    cycles.transparent_max_bounces = 8
    cycles.caustics_reflective = False
    cycles.caustics_refractive = False
    cycles.blur_glossy = 0.8
    cycles.sample_clamp_indirect = 2.5
    cycles.use_denoising = False
    cycles.pixel_filter_type = 'BLACKMAN_HARRIS'
    cycles.filter_width = 1.5

    image = scene.render.image_settings
    image.file_format = 'PNG'
    image.color_mode = 'RGBA'
    image.color_depth = '16'
    scene.view_settings.view_transform = 'Standard'
    scene.view_settings.look = 'None'
    return scene


def world(strength):
    """Adds a gray dome, bright above and dark at the horizon, for chrome and gloss to reflect.

    Surfaces sample it only where their light bounces: for a smooth dome, this has less noise and
    takes a third less time than choosing points on the dome.
    """
    dome = bpy.data.worlds.new('dome')
    dome.cycles.sampling_method = 'NONE'
    bpy.context.scene.world = dome
    dome.use_nodes = True
    nodes, links = dome.node_tree.nodes, dome.node_tree.links

    coordinates = nodes.new('ShaderNodeTexCoord')
    split = nodes.new('ShaderNodeSeparateXYZ')
    to_unit = nodes.new('ShaderNodeMapRange')
    to_unit.inputs['From Min'].default_value = -1
    to_unit.inputs['From Max'].default_value = 1
    ramp = nodes.new('ShaderNodeValToRGB')
    links.new(coordinates.outputs['Generated'], split.inputs[0])
    links.new(split.outputs['Z'], to_unit.inputs['Value'])
    links.new(to_unit.outputs[0], ramp.inputs[0])
    links.new(ramp.outputs[0], nodes['Background'].inputs['Color'])
    nodes['Background'].inputs['Strength'].default_value = strength

    stops = ramp.color_ramp.elements
    stops[0].position, stops[0].color = 0.0, (.75, .75, .76, 1)     # nadir
    stops[1].position, stops[1].color = 1.0, (1, 1, 1, 1)           # zenith
    stops.new(.50).color = (.22, .22, .24, 1)                       # horizon
    stops.new(.72).color = (.55, .55, .57, 1)


def area(name, location, target, width, height, watts, color=(1, 1, 1)):
    """Adds a softbox of width x height units at `location` that points at `target`."""
    light = bpy.data.lights.new(name, 'AREA')
    light.shape = 'RECTANGLE'
    light.size = width
    light.size_y = height
    light.energy = watts
    light.color = color
    lamp = bpy.data.objects.new(name, light)
    bpy.context.collection.objects.link(lamp)
    lamp.location = location
    direction = Vector(target) - Vector(location)
    lamp.rotation_euler = direction.to_track_quat('-Z', 'Y').to_euler()
    return lamp


def softboxes(center, radius, key=1.0, rim=1.0, fill=1.0, top=1.0, soft=1.0):
    """Adds five softboxes scaled to the product's bounding radius, so that all products match.

    Distances scale with the radius and watts with its square. The camera points along +y.
    key, rim, fill and top are factors; `key` scales all five. `soft` scales the sides of the key,
    fill and top lights: larger lights soften highlights and shadows, with the same watts.
    """
    middle = Vector(center)
    power = radius * radius * key
    size = radius * soft

    def at(x, y, z):
        return middle + Vector((x, y, z)) * radius

    area('key', at(-2.6, -2.4, 2.9), middle, 1.7 * size, 2.2 * size, 165 * power)
    area('fill', at(3.4, -2.2, 1.2), middle, 1.6 * size, 3.0 * size, 34 * power * fill,
         (.96, .98, 1))
    area('top', at(.2, .6, 3.6), middle, 2.8 * size, 1.3 * size, 75 * power * top)
    area('rim left', at(-2.8, 2.2, 1.4), middle, .7 * radius, 3.4 * radius, 70 * power * rim)
    area('rim right', at(2.8, 2.0, 1.6), middle, .7 * radius, 3.4 * radius, 80 * power * rim)


def floor(size=60):
    """Adds a light gray floor at z = 0. post.py sets whether the camera sees it."""
    bpy.ops.mesh.primitive_plane_add(size=size, location=(0, 0, 0))
    plane = bpy.context.object
    plane.name = 'floor'
    plane.data.materials.append(materials.plain('floor', (.82, .82, .82), rough=.6))
    return plane


def world_points(objects):
    """Returns all vertices after bevel and subdivision, as an n x 3 array."""
    graph = bpy.context.evaluated_depsgraph_get()
    clouds = []
    for item in objects:
        if item.type not in ('MESH', 'CURVE'):
            continue
        evaluated = item.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        flat = np.empty(len(mesh.vertices) * 3)
        mesh.vertices.foreach_get('co', flat)
        matrix = np.array(evaluated.matrix_world)
        clouds.append(flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
        evaluated.to_mesh_clear()
    points = np.vstack(clouds)
    assert np.isfinite(points).all(), 'a vertex is not a number: the picture would be empty'
    return points


def new_camera(lens):
    """Adds a camera with a lens of `lens` mm and a 36 mm wide sensor, and makes it active."""
    data = bpy.data.cameras.new('camera')
    data.lens = lens
    data.sensor_width = SENSOR
    data.sensor_fit = 'HORIZONTAL'
    data.clip_end = 2000
    camera = bpy.data.objects.new('camera', data)
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    return camera


def frame(objects, az, el, margin, aspect=1.0, lens=85, lift=.015):
    """Adds a camera that frames the objects. Returns it, their center and their bounding radius.

    az, el   direction of the camera in degrees (az 0 = front, negative = left)
    margin   free fraction of the frame on each side
    aspect   height / width
    lift     offset of the product above the middle, as a fraction of the width

    Bisects the distance until the projected box fits, then centers it by lens shift, which
    does not change the perspective.
    """
    points = world_points(objects)
    low, high = points.min(0), points.max(0)
    center = (low + high) / 2
    a, e = math.radians(az), math.radians(el)
    outward = np.array([math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e)])
    turn = Vector(-outward).to_track_quat('-Z', 'Y')
    axes = np.array(turn.to_matrix())
    focal = lens / SENSOR
    limit = (.5 - margin) * np.array([1, aspect])

    def project(distance):
        seen = (points - (center + outward * distance)) @ axes
        if (seen[:, 2] > -.01).any():
            return None                                  # camera inside the product
        return seen[:, :2] / -seen[:, 2:] * focal

    near, far = .5, 400
    for _ in range(50):
        distance = (near + far) / 2
        flat = project(distance)
        if flat is None or ((flat.max(0) - flat.min(0)) / 2 > limit).any():
            near = distance
        else:
            far = distance
    flat = project(far)
    middle = (flat.max(0) + flat.min(0)) / 2

    camera = new_camera(lens)
    camera.location = center + outward * far
    camera.rotation_euler = turn.to_euler()
    camera.data.shift_x = middle[0]
    camera.data.shift_y = middle[1] - lift
    return camera, center, np.linalg.norm(high - low) / 2


def frame_detail(target, az, el, width, lens=85):
    """Adds a camera that shows `width` units around the point `target`, from the direction az, el."""
    a, e = math.radians(az), math.radians(el)
    outward = Vector((math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e)))
    camera = new_camera(lens)
    camera.location = Vector(target) + outward * (width * lens / SENSOR)
    camera.rotation_euler = (-outward).to_track_quat('-Z', 'Y').to_euler()
    return camera


def group(name, build, *args, **options):
    """Calls build(...) and parents everything it creates to an empty. Returns the empty and the objects."""
    before = set(bpy.data.objects)
    build(*args, **options)
    made = [item for item in bpy.data.objects if item not in before]
    root = bpy.data.objects.new(name, None)
    bpy.context.collection.objects.link(root)
    for item in made:
        if item.parent is None:
            item.parent = root
    return root, made


def place(root, x=0, y=0, z=0, turn=0):
    """Places a group at (x, y, z), rotated by `turn` degrees around z."""
    root.matrix_world = (Matrix.Translation((x, y, z))
                         @ Matrix.Rotation(math.radians(turn), 4, 'Z'))
