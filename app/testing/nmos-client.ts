import type { Random } from '../engine/faults/random';
import { changed, type NmosResource, type NmosType, nmosNode, nmosTypes } from './nmos-resources';

const beatMs = 2000;
export const childTypes = ['source', 'flow', 'sender', 'receiver'] as const;

/** A registry that may not answer. */
export interface Reachable {
  /** The status of the answer; null: there is none. */
  send(method: 'POST' | 'DELETE', path: string, body?: unknown): number | null | Promise<number | null>;
}

/** A node that registers at either of two registries, and what it would have them hold. */
export class Client {
  /** In the order of registration. */
  private readonly resources = new Map<NmosType, NmosResource>();
  private versions = 0;
  private at: number;

  constructor(
    private readonly number: number,
    private readonly sites: readonly Reachable[],
  ) {
    this.at = number % sites.length;
  }

  static readonly beatMs = beatMs;

  /** By their texts. */
  wanted(): string[] {
    return [...this.resources.values()].map((data) => JSON.stringify(data));
  }

  get isThere(): boolean {
    return this.resources.size > 0;
  }

  async beat(): Promise<void> {
    const { node } = Object.fromEntries(this.resources);
    if (!node) return;
    const status = await this.send('POST', `health/nodes/${node.id}`);
    if (status === 404) await this.registerAll();
  }

  /** It starts, with its node, its device and some of the rest. */
  async appear(types: readonly NmosType[]): Promise<void> {
    this.resources.clear();
    for (const type of nmosTypes)
      if (type === 'node' || type === 'device' || types.includes(type))
        this.resources.set(type, this.next(type));
    // As IS-04 wants where a registry knows a node that has just started.
    if ((await this.register('node')) === 200)
      await this.send('DELETE', `resource/nodes/${this.resources.get('node')?.id}`);
    await this.registerAll();
  }

  async change(type: NmosType): Promise<void> {
    if (!this.isThere) return;
    this.resources.set(type, this.next(type));
    const status = await this.register(type);
    // A registry that does not know the node does not know the rest either.
    if (status === 400 || (type === 'node' && status === 201)) await this.registerAll();
  }

  async removeChild(type: (typeof childTypes)[number]): Promise<void> {
    const known = this.resources.get(type);
    if (!known) return;
    this.resources.delete(type);
    await this.send('DELETE', `resource/${type}s/${known.id}`);
  }

  async leave(): Promise<void> {
    const node = this.resources.get('node');
    this.resources.clear();
    if (node) await this.send('DELETE', `resource/nodes/${node.id}`);
  }

  die(): void {
    this.resources.clear();
  }

  move(): void {
    this.at = (this.at + 1) % this.sites.length;
  }

  private next(type: NmosType): NmosResource {
    const version = ++this.versions;
    return changed(nmosNode(this.number)[type], version, { label: `${type} ${version}` });
  }

  private async registerAll(): Promise<void> {
    for (const type of nmosTypes) if (this.resources.has(type)) await this.register(type);
  }

  private register(type: NmosType): Promise<number | null> {
    return this.send('POST', 'resource', { type, data: this.resources.get(type) });
  }

  /** At the registry that it speaks to, or at the other where that does not answer. */
  private async send(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<number | null> {
    for (let tried = 0; tried < this.sites.length; tried++) {
      const status = (await this.sites[this.at]?.send(method, path, body)) ?? null;
      if (status !== null) return status;
      this.move();
    }
    return null;
  }

  /** One thing that a node may do. */
  async act(random: Random): Promise<void> {
    if (!this.isThere) return this.appear(childTypes.filter(() => random.chance(0.6)));
    const actions = [
      () => this.change(random.pick(['node', 'device', ...childTypes] as const)),
      () => this.change(random.pick([...childTypes])),
      () => this.removeChild(random.pick([...childTypes])),
      () => this.leave(),
      () => this.die(),
      () => this.move(),
    ];
    await random.pick(actions)();
  }
}
