"""Curved 49-inch monitor: lit area 119 x 34 cm, curve radius 180 cm."""
from functools import partial

import shots
from curved_screen import GLOSS, curved_screen


def ultrawide():
    """Builds the monitor on its stand."""
    curved_screen(width=11.9, height=3.4, radius=18, picture='ultrawide-screen.png',
                  foot=(3.4, 2.3))


PICTURES = {
    'ultrawide': partial(shots.product, ultrawide, az=-46, el=11, margin=.04,
                         light=GLOSS),
    'ultrawide-2': partial(shots.product, ultrawide, az=-6, el=46, margin=.03,
                           light=GLOSS),
    'ultrawide-3': partial(shots.product, ultrawide, az=-24, el=14, margin=.04, turn=196,
                           fine=True, light=shots.BEHIND),
    'ultrawide-wide': partial(shots.product, ultrawide, az=-20, el=11, margin=.075,
                              size=(1600, 800), light=GLOSS),
}
