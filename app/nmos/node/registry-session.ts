import type { Clock } from '../../protocol/clock';
import { connectionWords } from '../connection-words';
import { monotonicMs } from '../monotonic-ms';
import type { FoundApi } from './api-finder';
import type { Answer, HttpClient, SmallAsking } from './http-client';
import type { NodeModel } from './model';
import { type NodeApiVersion, nodeApiVersions, type ResourceType, resourceTypes } from './resources';

/** The registry does not answer, or answers 5xx: the node may try another. */
export class RegistryFailed extends Error {}

/** The registry refuses the node: the node must not repeat the request. */
export class RegistrationRefused extends Error {}

export interface ResourceKey {
  type: ResourceType;
  id: string;
}

export type RequestKind = 'registration' | 'heartbeat' | 'removal';

/** A request that ended; status null: no answer. */
export interface RequestMade {
  of: RequestKind;
  status: number | null;
  /** Includes the wait for a connection. */
  tookMs: number;
}

export interface RequestWatch {
  begins(of: RequestKind): void;
  ended(request: RequestMade): void;
}

export interface SessionOptions {
  registry: FoundApi;
  model: NodeModel;
  client: HttpClient;
  clock: Clock;
  timeoutMs: number;
  signal?: AbortSignal;
  log: (line: string) => void;
  requests?: RequestWatch;
}

/** What a node says to one registry. Source: IS-04 v1.3 Behaviour: Registration, RegistrationAPI.raml. */
export class RegistrySession {
  readonly version: NodeApiVersion;
  private readonly root: string;

  constructor(private readonly options: SessionOptions) {
    const { url, version } = options.registry;
    this.version = nodeApiVersions.find((known) => known === version) ?? 'v1.3';
    this.root = `${url}/x-nmos/registration`;
  }

  /**
   * First removes a node with this id that the registry still holds from an earlier run.
   * @throws RegistryFailed
   * @throws RegistrationRefused
   */
  async registerNode(): Promise<void> {
    const key = this.nodeKey();
    let { status, body } = await this.post(key);
    if (status === 409) {
      for (const other of nodeApiVersions) if (other !== this.version) await this.delete(key, other);
      ({ status, body } = await this.post(key));
    }
    if (status === 200) {
      await this.delete(key);
      ({ status, body } = await this.post(key));
    }
    if (status !== 201 && status !== 200) throw new RegistrationRefused(`${status} ${reasonOf(body)}`);
  }

  /** False if the registry refuses it, which is logged. @throws RegistryFailed */
  async register(key: ResourceKey): Promise<boolean> {
    const { status, body } = await this.post(key);
    if (status === 200 || status === 201) return true;
    this.options.log(
      `${this.options.registry.url} refuses ${key.type} ${key.id}: ${status} ${reasonOf(body)}`,
    );
    return false;
  }

  /** Resolves to whether the registry knows the node. @throws RegistryFailed, also at the signal */
  async heartbeat(until?: AbortSignal): Promise<'known' | 'unknown' | 'other-version'> {
    const url = `${this.root}/${this.version}/health/nodes/${this.options.model.node.id}`;
    const { status } = await this.ask('heartbeat', { method: 'POST', url }, until);
    if (status === 200) return 'known';
    if (status === 404) return 'unknown';
    if (status === 409) return 'other-version';
    throw new RegistryFailed(`it answered a heartbeat with ${status}`);
  }

  /** One that the registry does not have is no failure. @throws RegistryFailed */
  async delete({ type, id }: ResourceKey, version = this.version): Promise<void> {
    await this.ask('removal', { method: 'DELETE', url: `${this.root}/${version}/resource/${type}s/${id}` });
  }

  nodeKey(): ResourceKey {
    return { type: 'node', id: this.options.model.node.id };
  }

  /** All but the node, in the order of registration. */
  others(): ResourceKey[] {
    return this.options.model.all(this.version).filter(({ type }) => type !== 'node');
  }

  private async post({ type, id }: ResourceKey): Promise<Answer> {
    const shown = this.options.model.show(type, id, this.version);
    // Removed, or changed into what this version does not know, since it was listed.
    if (shown.is !== 'there') return { status: 200, body: undefined };
    const answer = await this.ask('registration', {
      ...{ method: 'POST', url: `${this.root}/${this.version}/resource` },
      body: { type, data: shown.resource },
    });
    // RegistrationAPI.raml: the answer is the resource. Another web server may take any request for good.
    if ((answer.status === 200 || answer.status === 201) && idOf(answer.body) !== id)
      throw new RegistryFailed(
        `it answered ${answer.status} without the resource: this is not a Registration API`,
      );
    return answer;
  }

  private async ask(
    of: RequestKind,
    asking: Pick<SmallAsking, 'method' | 'url' | 'body'>,
    signal = this.options.signal,
  ): Promise<Answer> {
    const { client, clock, timeoutMs, requests } = this.options;
    const startedMs = monotonicMs(clock);
    requests?.begins(of);
    const made = (status: number | null): void =>
      requests?.ended({ of, status, tookMs: monotonicMs(clock) - startedMs });
    const answer = await client.ask({ ...asking, timeoutMs, signal }).catch((error: unknown) => {
      made(null);
      throw new RegistryFailed(connectionWords(error));
    });
    made(answer.status);
    if (answer.status >= 500)
      throw new RegistryFailed(`it answered ${answer.status} ${reasonOf(answer.body)}`);
    return answer;
  }
}

/** Changes in the order in which a registry takes them: parents before children, removals the other way round. */
export function inOrder<Key extends ResourceKey & { isThere: boolean }>(changes: readonly Key[]): Key[] {
  const rank = ({ type }: Key): number => resourceTypes.indexOf(type);
  const sets = changes.filter(({ isThere }) => isThere).sort((one, other) => rank(one) - rank(other));
  const removals = changes.filter(({ isThere }) => !isThere).sort((one, other) => rank(other) - rank(one));
  return [...sets, ...removals];
}

function idOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
}

function reasonOf(body: unknown): string {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : '';
  return typeof error === 'string' ? error.slice(0, 300) : '';
}
