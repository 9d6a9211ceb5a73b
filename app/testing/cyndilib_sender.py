"""
A sender that others made: cyndilib, with noise for pictures. Says "Sending" when it begins, and "done" once a command is carried out.

    cyndilib_sender.py NAME    320x180 at 25 frames a second, until it is told "end"

Commands, one a line: "skip N" leaves N pictures out; "pause S" hands none over for S seconds; "still S" hands the same one over
again and again; "twice S" hands each over twice; "rate N" hands over N a second, whatever is declared.
"""

import os
import sys
import threading
import time
from fractions import Fraction

import numpy
from cyndilib.sender import Sender
from cyndilib.video_frame import VideoSendFrame
from cyndilib.wrapper.ndi_structs import FourCC

WIDTH, HEIGHT, DECLARED = 320, 180, 25


class Orders:
    """What was asked for last; a thread reads it, so that the pictures wait for nobody."""

    def __init__(self):
        self.newest = None
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in sys.stdin:
            self.newest = line.split()
        self.newest = ["end"]

    def take(self):
        order, self.newest = self.newest, None
        return order


def main(name):
    sender = Sender(name, clock_video=False, clock_audio=False)
    video = VideoSendFrame()
    video.set_resolution(WIDTH, HEIGHT)
    video.set_frame_rate(Fraction(DECLARED, 1))
    video.set_fourcc(FourCC.UYVY)
    sender.set_video_frame(video)
    noise = numpy.random.default_rng(1)
    orders = Orders()
    try:
        # Where it may: a picture that is handed over half a period late gets the time stamp of the next one.
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except PermissionError:
        pass
    rate, due, verb, until = DECLARED, time.monotonic(), None, 0.0
    with sender:
        print("Sending", flush=True)
        picture = None
        while True:
            if verb is not None and due >= until:
                verb = None
                print("done", flush=True)
            order = orders.take()
            if order is not None:
                if order[0] == "end":
                    return
                verb, amount = order[0], float(order[1])
                if verb == "rate":
                    rate = amount
                seconds = {"skip": (amount - 0.5) / rate, "rate": 0}.get(verb, amount)
                until = due + seconds
            if picture is None or verb != "still":
                picture = noise.integers(0, 256, WIDTH * HEIGHT * 2, dtype=numpy.uint8)
            if verb not in ("skip", "pause"):
                for _ in range(2 if verb == "twice" else 1):
                    sender.write_video(picture)
            due += 1 / rate
            time.sleep(max(0.0, due - time.monotonic()))


main(sys.argv[1])
