"""What the kernel knows of the sound, where no sound server runs."""

from bench.failure import equal



def case_the_kernel_says_that_no_audio_link_is_up(rig):
    rig.headphone(address="F0:F1:F2:F3:F4:F5/P")
    audio = rig.earshot("status", "--json").succeeded().json["audio"]
    equal(audio["state"], "unknown", "state of the sound")
    equal(audio["link"], "down", "the kernel's word on the audio link, with an LE link up")
