"""Other programs, the net, and time that passes: whoever asks for them gets an object that takes any use."""
import os
import socket
import subprocess
import time
import urllib.request


def familiar_asked(name):
    return lambda *values, **named: FamiliarMock(name)(*values, **named)


for familiar_module, familiar_names in (
    (subprocess, "run Popen call check_call check_output getoutput getstatusoutput"),
    (os, "system popen startfile"),
    (socket, "socket create_connection gethostbyname gethostbyaddr getaddrinfo"),
    (urllib.request, "urlopen urlretrieve"),
):
    for familiar_name in familiar_names.split():
        if hasattr(familiar_module, familiar_name):
            setattr(familiar_module, familiar_name, familiar_asked(familiar_name))
time.sleep = lambda seconds: None
