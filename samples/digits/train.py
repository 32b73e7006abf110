"""Trains the weights of `models/early_exit.py` and says how often it is right on digits it never saw.

python samples/digits/train.py              # seconds; writes weights.npz beside this file
python samples/digits/train.py --check      # only measures the weights that are there
"""

import sys
from pathlib import Path

import numpy as np

import dyncore as torch
from dyncore import nn

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent.parent / "models")]
import early_exit  # noqa: E402

EPOCHS, BATCH, RATE = 60, 32, 0.003


def split() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Images and labels to train on, images and labels held out."""
    data = np.load(HERE / "digits.npz", allow_pickle=False)
    held_out = np.arange(len(data["labels"])) % 5 == 0
    images, labels = data["images"].astype(np.float32), data["labels"].astype(np.int64)
    parts = images[~held_out], labels[~held_out], images[held_out], labels[held_out]
    return tuple(torch.from_numpy(np.ascontiguousarray(part)) for part in parts)


def train(images: torch.Tensor, labels: torch.Tensor) -> early_exit.EarlyExit:
    """A network whose exits have all learned to classify; the same for the same seed.

    It learns in float64: what rounding differs by on another processor stays below float32's last digit.
    """
    torch.manual_seed(0)
    network, images = early_exit.EarlyExit().double(), images.double()
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE, weight_decay=1e-4)
    for _ in range(EPOCHS):
        order = torch.randperm(len(labels))
        for start in range(0, len(labels), BATCH):
            rows = order[start : start + BATCH]
            losses = [nn.functional.cross_entropy(scores, labels[rows]) for scores in network.every_exit(images[rows])]
            optimizer.zero_grad()
            sum(losses).backward()
            optimizer.step()
    return network.float()


def measure(network: early_exit.EarlyExit, images: torch.Tensor, labels: torch.Tensor) -> tuple[float, list[int]]:
    """The share of digits classified right, and how many left at each exit."""
    right, left = 0, [0] * len(network.exits)
    with torch.no_grad():
        for image, label in zip(images, labels, strict=True):
            for number, scores in enumerate(network.every_exit(image[None])):
                if scores.softmax(-1).max() > 0.9:
                    break
            left[number] += 1
            right += int(network(image).argmax() == label)
    return right / len(labels), left


def main() -> None:
    """Trains or checks, and prints the result."""
    images, labels, held_images, held_labels = split()
    if "--check" in sys.argv:
        network = early_exit.model
    else:
        network = train(images, labels)
        np.savez(HERE / "weights.npz", **{name: each.numpy() for name, each in network.state_dict().items()})
    share, left = measure(network, held_images, held_labels)
    print(f"{share:.1%} of {len(held_labels)} held-out digits are right; they left at exits 1 to 4: {left}")


if __name__ == "__main__":
    main()
