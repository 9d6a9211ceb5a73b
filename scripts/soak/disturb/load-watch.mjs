import { now } from './actions.mjs';
import { datagramsOverflowed, descendantsOf, machineTicks, ticksOf } from './processes.mjs';

const lookMs = 250;
const windowNs = 1e9;

/**
 * An account of our own of what the hypervisor, and programs that are not of the command, took of all cores, and of the datagrams that
 * overflowed a socket's buffer.
 */
export class LoadWatch {
  #looks = [];
  #timer;
  /** A command that has ended took no less than before. */
  #own = new Map();

  /** @param roots ids of our processes: what they and their children take is not of other programs */
  constructor(roots) {
    this.roots = roots;
    this.#look();
    this.#timer = setInterval(() => this.#look(), lookMs);
  }

  add(root) {
    this.roots.push(root);
  }

  /** Windows of about a second each: when, in % of all cores the hypervisor's share and that of other programs, and datagrams. */
  end() {
    clearInterval(this.#timer);
    this.#look();
    return this.#looks.flatMap((look, index) => {
      const before = this.#looks.slice(0, index).findLast(({ atNs }) => look.atNs - atNs >= windowNs);
      if (before === undefined) return [];
      const ticks = Math.max(1, look.total - before.total);
      const percent = (name) => (100 * Math.max(0, look[name] - before[name])) / ticks;
      return {
        from: before.atNs,
        to: look.atNs,
        stolenPercent: percent('steal'),
        othersPercent: percent('others'),
        datagramsOverflowed: look.overflowed - before.overflowed,
      };
    });
  }

  #look() {
    const { busy, steal, total } = machineTicks();
    for (const root of this.roots) this.#own.set(root, Math.max(this.#own.get(root) ?? 0, ticksOfTree(root)));
    const own = [...this.#own.values()].reduce((sum, ticks) => sum + ticks, 0);
    this.#looks.push({ atNs: now(), steal, total, others: busy - own, overflowed: datagramsOverflowed() });
  }
}

/** What a helper's own children took is the helper's once they have ended. */
function ticksOfTree(root) {
  return [root, ...descendantsOf(root)].reduce((sum, pid) => {
    const { own, ended } = ticksOf(pid);
    return sum + own + ended;
  }, 0);
}
