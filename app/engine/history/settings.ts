import type { PathPart } from '../../experiments/setting-name';
import { oneMachine } from '../sessions/environment';

/** These differ at each look, and are not settings. */
const passing = new Set([
  ...['offsetUs', 'clockUncertaintyMs', 'clockDriftPpm', 'detail', 'notKnown', 'notMeasured', 'freeMib'],
]);
/** What runs of older versions say in other words. */
const newWords = new Map([['this machine by itself', oneMachine]]);

/** Of a thing, such as a network card, that one run has and another has not. */
export const away = 'absent';

interface Setting {
  path: readonly PathPart[];
  text: string;
}

/** What a run recorded of its beginning, as texts by their paths; an entry of a list goes by its name, so that order does not count. */
export class Settings {
  /** By their paths. */
  readonly all = new Map<string, Setting>();
  /** Paths of lists of things. */
  private readonly lists = new Set<string>();

  constructor(value: unknown) {
    this.add(value, []);
  }

  /** Empty: it was not recorded. */
  textAt(path: readonly PathPart[]): string {
    const own = this.all.get(pathText(path))?.text;
    if (own !== undefined) return own;
    const isAway = path.some(({ isThing }, index) => {
      if (!isThing || this.all.has(pathText(path.slice(0, index + 1)))) return false;
      return this.lists.has(pathText(path.slice(0, index)));
    });
    return isAway ? away : '';
  }

  /** Whether anything was recorded at this path, or below it. */
  holds(path: readonly PathPart[]): boolean {
    const start = pathText(path);
    return [...this.all.keys(), ...this.lists].some((one) => one === start || one.startsWith(`${start}.`));
  }

  private add(value: unknown, path: readonly PathPart[]): void {
    if (value === undefined || value === null || value === '') return;
    if (typeof value !== 'object') {
      this.put(path, wordOf(value));
      return;
    }
    const isList = Array.isArray(value);
    const things = isList && value.some((entry) => typeof entry === 'object' && entry !== null);
    if (isList && !things && value.length > 0) {
      this.put(path, value.map(wordOf).join(', '));
      return;
    }
    if (isList) this.lists.add(pathText(path));
    // A machine that sends and receives is recorded by both ends.
    const entries = things ? Object.entries(onceEach(value)) : Object.entries(value);
    for (const [key, part] of entries) {
      if (passing.has(key)) continue;
      const own = [...path, things ? { key: ownName(part) ?? key, isThing: true } : { key, isThing: false }];
      if (things) this.put(own, 'present');
      this.add(part, own);
    }
  }

  private put(path: readonly PathPart[], text: string): void {
    this.all.set(pathText(path), { path, text });
  }
}

export function pathText(path: readonly PathPart[]): string {
  return path.map(({ key }) => key).join('.');
}

function onceEach(things: readonly unknown[]): unknown[] {
  const textOf = (thing: unknown): string =>
    [...new Settings(thing).all]
      .map(([path, { text }]) => `${path} ${text}`)
      .sort()
      .join('\n');
  return [...new Map(things.map((thing) => [textOf(thing), thing])).values()];
}

function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return newWords.get(String(value)) ?? String(value);
}

/** A machine of the fleet goes by the name of its agent. */
function ownName(thing: unknown): string | undefined {
  const { name, connector, machine } = (thing ?? {}) as Record<string, unknown>;
  const { name: agent } = (machine ?? {}) as { name?: unknown };
  return [name, connector, agent].find((text) => typeof text === 'string');
}
