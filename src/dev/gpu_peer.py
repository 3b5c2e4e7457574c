"""Times in PyTorch what src/dev/gpu-run.sh measures: networks, products of matrices, and moves of 256 MiB.

Usage: gpu_peer.py RESULTS.json [SECONDS]

Networks are torchvision's and timm's, where these are installed, and the U-Net of the benchmarks, with normalizations folded
into convolutions; weights are random, because times do not depend on them. Times are medians of 25 runs in milliseconds:
"device" with inputs and results on the device, "host" with both in pinned memory of the host, "graph" replayed as a CUDA
graph, "compiled" by torch.compile. float32 is without TF32 everywhere. What does not fit in SECONDS (default 240) is left out.
"""

import json
import signal
import statistics
import sys
import time

import torch
from torch import nn

torch.backends.cudnn.benchmark = True
RUNS = 25
COMPILE_SECONDS = 60


class UNet(nn.Module):
    CHANNELS = (32, 64, 128, 256, 512)

    def __init__(self):
        super().__init__()
        channels = self.CHANNELS
        self.down = nn.ModuleList(self.twice(inner, outer) for inner, outer in zip((3,) + channels, channels))
        self.up = nn.ModuleList(nn.ConvTranspose2d(outer, inner, 2, 2) for inner, outer in zip(channels, channels[1:]))
        self.merge = nn.ModuleList(self.twice(2 * inner, inner) for inner in channels[:-1])
        self.out = nn.Conv2d(channels[0], 1, 1)

    @staticmethod
    def twice(inner, outer):
        return nn.Sequential(nn.Conv2d(inner, outer, 3, 1, 1), nn.ReLU(True), nn.Conv2d(outer, outer, 3, 1, 1), nn.ReLU(True))

    def forward(self, x):
        kept = []
        for layer in self.down[:-1]:
            kept.append(layer(x))
            x = torch.max_pool2d(kept[-1], 2)
        x = self.down[-1](x)
        for up, merge, left in reversed(list(zip(self.up, self.merge, kept))):
            x = merge(torch.cat([up(x), left], 1))
        return torch.sigmoid(self.out(x))


def networks():
    """What makes each network, by name; those of libraries that are missing are missing."""
    made = {"unet": UNet}
    try:
        import torchvision.models as models
        from torch.fx.experimental.optimization import fuse

        made |= {name: lambda make=make: fuse(make().eval()) for name, make in (
            ("resnet50", models.resnet50), ("squeezenet1.1", models.squeezenet1_1), ("squeezenet1.0", models.squeezenet1_0),
            ("mobilenetv2", models.mobilenet_v2), ("vgg19", models.vgg19), ("densenet121", models.densenet121))}
    except ImportError as missing:
        print(missing, flush=True)
    try:
        import timm

        made["deit_tiny"] = lambda: timm.create_model("deit_tiny_patch16_224", pretrained=False)
    except ImportError as missing:
        print(missing, flush=True)
    return made


def milliseconds(run):
    for _ in range(6):
        run()
    torch.cuda.synchronize()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run()
        torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def of_graph(run):
    graph, stream = torch.cuda.CUDAGraph(), torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            run()
    torch.cuda.current_stream().wait_stream(stream)
    with torch.cuda.graph(graph):
        run()
    return milliseconds(graph.replay)


class Peer:
    def __init__(self, file, seconds):
        self.file, self.end = file, time.monotonic() + seconds
        self.made, self.built = networks(), {}
        self.measured = {"peer": f"PyTorch {torch.__version__}", "device": torch.cuda.get_device_name(), "times": []}

    def add(self, name, batch, precision, way, run):
        """One time, printed and kept at once; what fails is told and left out."""
        left = self.end - time.monotonic()
        if left < 1:
            return
        try:
            if way == "compiled":
                signal.alarm(max(1, int(min(left, COMPILE_SECONDS))))
            taken = run()
        except Exception as failed:
            print(name, batch, precision, way, "failed:", str(failed).splitlines()[:1], flush=True)
            return
        finally:
            signal.alarm(0)
        print(f"{name} {batch} {precision} {way}: {taken:.3f} ms", flush=True)
        self.measured["times"].append(dict(name=name, batch=batch, precision=precision, way=way, ms=round(taken, 4)))
        self.file.seek(0)
        json.dump(self.measured, self.file, indent=1)
        self.file.truncate()
        self.file.flush()

    def network(self, name, batch, precision, ways):
        if name not in self.made or self.end - time.monotonic() < 1:
            return
        kind = set_precision(precision)
        if name not in self.built:
            self.built[name] = self.made[name]().cuda().eval()
        model = self.built[name].to(kind)
        side = 256 if name == "unet" else 224
        x = torch.rand(batch, 3, side, side, device="cuda", dtype=kind)
        host = x.cpu().pin_memory()
        compiled = torch.compile(model) if "compiled" in ways else model
        runs = {
            "device": lambda: milliseconds(lambda: model(x)),
            "host": lambda: milliseconds(lambda: model(host.to("cuda", non_blocking=True)).cpu()),
            "graph": lambda: of_graph(lambda: model(x)),
            "compiled": lambda: milliseconds(lambda: compiled(host.to("cuda", non_blocking=True)).cpu()),
        }
        for way in ways:
            self.add(name, batch, precision, way, runs[way])
        model.to(torch.float32)

    def products(self):
        for side in (4096, 8192, 1024):
            for precision in ("float32", "tf32", "float16"):
                kind = set_precision(precision)
                a, b = (torch.rand(side, side, device="cuda", dtype=kind) for _ in range(2))
                self.add(f"product{side}", 1, precision, "device", lambda: milliseconds(lambda: a @ b))

    def moves(self):
        a, b = (torch.rand(64, 1024, 1024, device="cuda") for _ in range(2))
        out, half, image = torch.empty_like(a), a[:, :, :512].contiguous(), torch.rand(64, 256, 64, 64, device="cuda")
        for name, run in {
            "copy": lambda: out.copy_(a),
            "relu": lambda: torch.relu(a),
            "add": lambda: a + b,
            "transpose_021": lambda: a.transpose(1, 2).contiguous(),
            "transpose_0231": lambda: image.permute(0, 2, 3, 1).contiguous(),
            "softmax_last": lambda: torch.softmax(a, 2),
            "softmax_middle": lambda: torch.softmax(a, 1),
            "sum_last": lambda: a.sum(2),
            "sum_first": lambda: a.sum(0),
            "cumsum": lambda: a.cumsum(2),
            "argmax": lambda: a.argmax(2),
            "concat": lambda: torch.cat([a, half], 2),
        }.items():
            self.add(name, 1, "float32", "device", lambda: milliseconds(run))


def set_precision(precision):
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"
    return torch.float16 if precision == "float16" else torch.float32


def too_long(*_):
    raise TimeoutError(f"takes more than {COMPILE_SECONDS} s, or than what is left")


def main(path, seconds=240):
    signal.signal(signal.SIGALRM, too_long)
    with open(path, "w") as file, torch.inference_mode():
        peer = Peer(file, float(seconds))
        print(peer.measured["peer"], peer.measured["device"], flush=True)
        single = ("resnet50", "squeezenet1.1", "mobilenetv2", "deit_tiny", "unet", "vgg19", "densenet121", "squeezenet1.0")
        for name in single:
            peer.network(name, 1, "float32", ("device", "host", "graph"))
        for precision in ("float32", "tf32", "float16"):
            for name in ("resnet50", "vgg19"):
                peer.network(name, 64, precision, ("device", "host"))
        peer.products()
        peer.moves()
        for precision in ("tf32", "float16"):
            for name in single[:6]:
                peer.network(name, 1, precision, ("device", "host"))
        for name in single[:5]:
            peer.network(name, 1, "float32", ("compiled",))


if __name__ == "__main__":
    main(*sys.argv[1:])
