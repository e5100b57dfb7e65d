"""Curved 27-inch monitor: lit area 61 x 34 cm, curve radius 125 cm."""
from functools import partial

import shots
from curved_screen import curved_screen


def monitor():
    """Builds the monitor on its stand."""
    curved_screen(width=6.1, height=3.43, radius=12.5, picture='monitor-screen.png',
                  foot=(2.5, 1.9))


PICTURES = {
    'monitor': partial(shots.product, monitor, az=-26, el=10, margin=.07),
    'monitor-2': partial(shots.product, monitor, az=-24, el=14, margin=.07, turn=192,
                         light=shots.BEHIND),
}
