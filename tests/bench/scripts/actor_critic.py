"""An actor and a critic learn to balance a pole, then plan by a beam search through their own policy."""

import math

import torch
from torch import nn
from torch.distributions import Categorical
from torch.nn import functional as F

HIDDEN, EPISODES, LONGEST, DISCOUNT, BEAM, DEPTH = 24, 14, 120, 0.98, 4, 8


class Pole:
    """A cart with a pole, by Euler's method."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)
        self.state = [0.0, 0.0, 0.0, 0.0]

    def reset(self):
        """Start near upright."""
        self.state = ((torch.rand(4, generator=self.generator) - 0.5) * 0.1).tolist()
        return torch.tensor(self.state)

    def step(self, action):
        """Push to the left or to the right; return the state, the reward and whether the pole fell."""
        self.state = advance(self.state, action)
        position, _, angle, _ = self.state
        fell = abs(position) > 2.4 or abs(angle) > 0.21
        return torch.tensor(self.state), 0.0 if fell else 1.0, fell


def advance(state, action):
    """Return the state a fiftieth of a second later."""
    position, speed, angle, turn = state
    force = 10.0 if action == 1 else -10.0
    sine, cosine = math.sin(angle), math.cos(angle)
    push = (force + 0.05 * turn * turn * sine) / 1.1
    spin = (9.8 * sine - cosine * push) / (0.5 * (4.0 / 3.0 - 0.1 * cosine * cosine / 1.1))
    drive = push - 0.05 * spin * cosine / 1.1
    return [position + 0.02 * speed, speed + 0.02 * drive, angle + 0.02 * turn, turn + 0.02 * spin]


class Policy(nn.Module):
    """Two heads on one body: what to do, and how well it stands."""

    def __init__(self, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.actor = nn.Linear(hidden, 2)
        self.critic = nn.Linear(hidden, 1)

    def forward(self, state):
        """Return the scores of both actions and the value of the state."""
        features = self.body(state)
        return self.actor(features), self.critic(features).squeeze(-1)


def play(policy, pole):
    """Play one episode; return log-probabilities, values, entropies and rewards."""
    state = pole.reset()
    steps = []
    for _ in range(LONGEST):
        scores, value = policy(state)
        choice = Categorical(logits=scores)
        action = choice.sample()
        state, reward, fell = pole.step(action.item())
        steps.append((choice.log_prob(action), value, choice.entropy(), reward))
        if fell:
            break
    return steps


def returns(rewards):
    """Discount rewards from the end, then normalize."""
    total, found = 0.0, []
    for reward in reversed(rewards):
        total = reward + DISCOUNT * total
        found.insert(0, total)
    found = torch.tensor(found)
    if len(found) > 1:
        found = (found - found.mean()) / (found.std() + 1e-6)
    return found


def loss_of(steps):
    """Return the loss of an episode: actor, critic and entropy."""
    targets = returns([reward for *_, reward in steps])
    actor, critic, entropy = [], [], []
    for (log_probability, value, spread, _), target in zip(steps, targets):
        advantage = target - value.detach()
        actor.append(-log_probability * advantage)
        critic.append(F.smooth_l1_loss(value, target))
        entropy.append(spread)
    return torch.stack(actor).sum() + 0.5 * torch.stack(critic).sum() - 0.01 * torch.stack(entropy).sum()


@torch.no_grad()
def plan(policy, state, beam, depth):
    """Return the actions of the likeliest path that does not fall."""
    beams = [(0.0, state, [])]
    for _ in range(depth):
        grown = []
        for score, standing, actions in beams:
            scores, _ = policy(torch.tensor(standing))
            chances = F.log_softmax(scores, dim=0)
            for action in range(2):
                following = advance(standing, action)
                if abs(following[2]) > 0.21:
                    continue
                grown.append((score + chances[action].item(), following, [*actions, action]))
        if not grown:
            break
        grown.sort(key=lambda entry: entry[0], reverse=True)
        beams = grown[:beam]
    return beams[0][2]


def main():
    """Learn for some episodes, then plan from upright."""
    torch.manual_seed(0)
    policy, pole = Policy(HIDDEN), Pole(0)
    optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
    lengths = []
    for episode in range(EPISODES):
        steps = play(policy, pole)
        optimizer.zero_grad()
        loss = loss_of(steps)
        loss.backward()
        optimizer.step()
        lengths.append(len(steps))
        if episode % 4 == 0:
            print(f"episode {episode}  steps {lengths[-1]}  loss {loss.item():.3f}")
    print("planned", len(plan(policy, [0.0, 0.0, 0.01, 0.0], BEAM, DEPTH)))


if __name__ == "__main__":
    main()
