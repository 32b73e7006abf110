"""REINFORCE on a pole that falls: the length of an episode, and so of its graph, is the policy's own doing."""

import argparse
import math

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Pole:
    """A pole on a cart, by Euler's method; an action pushes left or right."""

    def reset(self):
        """The state at the beginning: position, speed, angle and its speed."""
        self.state = (torch.rand(4) - 0.5).mul(0.1).tolist()
        return torch.tensor(self.state)

    def step(self, action):
        """The next state, and whether the pole has fallen or the cart has left."""
        x, v, angle, turn = self.state
        force = 10.0 if action == 1 else -10.0
        push = (force + 0.05 * turn * turn * math.sin(angle)) / 1.1
        bend = (9.8 * math.sin(angle) - math.cos(angle) * push) / (0.5 * (4 / 3 - 0.1 * math.cos(angle) ** 2 / 1.1))
        slide = push - 0.05 * bend * math.cos(angle) / 1.1
        self.state = [x + 0.02 * v, v + 0.02 * slide, angle + 0.02 * turn, turn + 0.02 * bend]
        return torch.tensor(self.state), abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.21


def episode(policy, pole, most):
    """The log-probabilities of the actions of one episode."""
    state, kept = pole.reset(), []
    for _ in range(most):
        chances = Categorical(logits=policy(state))
        action = chances.sample()
        kept.append(chances.log_prob(action))
        state, is_over = pole.step(action.item())
        if is_over:
            break
    return kept


def returns(length, discount):
    """The discounted sums of the rewards to come, of mean 0 and deviation 1."""
    sums, total = [], 0.0
    for _ in range(length):
        total = 1.0 + discount * total
        sums.insert(0, total)
    sums = torch.tensor(sums)
    return (sums - sums.mean()) / (sums.std() + 1e-9)


def main():
    """Plays and learns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--discount", type=float, default=0.99)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(options.seed)
    policy = nn.Sequential(nn.Linear(4, 32), nn.Dropout(p=0.2), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    pole, average = Pole(), 10.0
    for number in range(1, options.episodes + 1):
        kept = episode(policy, pole, most=200)
        loss = -(torch.stack(kept) * returns(len(kept), options.discount)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average += 0.05 * (len(kept) - average)
        if number % 5 == 0:
            print(f"episode {number}: {len(kept)} steps, average {average:.2f}, loss {loss.item():.6f}")


if __name__ == "__main__":
    main()


# $ dyncli run samples/pytorch/reinforce.py --show outputs -- --episodes 10
# episode 5: 17 steps, average 12.26, loss 0.092636
# episode 10: 10 steps, average 14.65, loss -0.230797
# samples/pytorch/reinforce.py:__main__ · float64 · seed 0 · 6,053 ops · 689 decisions · torch:
# dyncore 0.1.0
