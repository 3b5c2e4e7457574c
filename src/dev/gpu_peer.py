"""Times in PyTorch what src/dev/gpu-run.sh measures: ResNet-50, VGG-19 and matrix products, in float32 without TF32, with
TF32, and in float16.

The networks have the layers of the papers with normalizations folded away; weights are random, because times do not
depend on them. Prints median milliseconds of 30 runs, inputs and outputs on the device.
"""

import statistics
import time

import torch
from torch import nn

torch.backends.cudnn.benchmark = True


class Bottleneck(nn.Module):
    def __init__(self, channels, width, stride):
        super().__init__()
        out = 4 * width
        self.body = nn.Sequential(
            nn.Conv2d(channels, width, 1), nn.ReLU(True),
            nn.Conv2d(width, width, 3, stride, 1), nn.ReLU(True),
            nn.Conv2d(width, out, 1))
        self.short = nn.Conv2d(channels, out, 1, stride) if stride > 1 or channels != out else nn.Identity()

    def forward(self, x):
        return torch.relu(self.body(x) + self.short(x))


def resnet50():
    layers = [nn.Conv2d(3, 64, 7, 2, 3), nn.ReLU(True), nn.MaxPool2d(3, 2, 1)]
    channels = 64
    for width, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for block in range(blocks):
            layers.append(Bottleneck(channels, width, stride if block == 0 else 1))
            channels = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, 1000))


def vgg19():
    layers, channels = [], 3
    for width, depth in ((64, 2), (128, 2), (256, 4), (512, 4), (512, 4)):
        for _ in range(depth):
            layers += [nn.Conv2d(channels, width, 3, 1, 1), nn.ReLU(True)]
            channels = width
        layers.append(nn.MaxPool2d(2))
    return nn.Sequential(
        *layers, nn.Flatten(), nn.Linear(25088, 4096), nn.ReLU(True), nn.Linear(4096, 4096), nn.ReLU(True),
        nn.Linear(4096, 1000))


def milliseconds(run):
    for _ in range(5):
        run()
    torch.cuda.synchronize()
    times = []
    for _ in range(30):
        start = time.perf_counter()
        run()
        torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def main():
    print("PyTorch", torch.__version__, torch.cuda.get_device_name())
    with torch.inference_mode():
        for precision, kind in (("float32", torch.float32), ("tf32", torch.float32), ("float16", torch.float16)):
            torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"
            for name, make in (("resnet50", resnet50), ("vgg19", vgg19)):
                network = make().cuda().eval().to(kind)
                for batch in (1, 8, 64):
                    x = torch.rand(batch, 3, 224, 224, device="cuda", dtype=kind)
                    print(f"{name} batch {batch} {precision}: {milliseconds(lambda: network(x)):.3f} ms")
            for size in (4096, 8192):
                a, b = (torch.rand(size, size, device="cuda", dtype=kind) for _ in range(2))
                taken = milliseconds(lambda: a @ b)
                print(f"product {size} {precision}: {taken:.3f} ms, {2e-9 * size ** 3 / taken:.1f} TFLOP/s")
        source, target = torch.rand(1 << 28, device="cuda"), torch.empty(1 << 28, device="cuda")
        taken = milliseconds(lambda: target.copy_(source))
        print(f"copy of 1 GiB: {taken:.3f} ms, {2 * 4 * 2 ** 28 / taken * 1e-6:.0f} GB/s read and written")


main()
