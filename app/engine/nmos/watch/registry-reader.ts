import type { MirrorState } from '../../../nmos/controller/collection-mirror';
import { ResourceMirror } from '../../../nmos/controller/mirror';
import { findQueryApi, type QueryApi } from '../../../nmos/controller/query-api';
import { type SeenResources, type SeenType, seenTypes } from '../../../nmos/controller/resources';
import { RestClient } from '../../../nmos/controller/rest-client';
import { registryOrigin } from '../../../nmos/registry-url';
import type { Clock } from '../../../protocol/clock';
import { problemText, toProblem } from '../../../protocol/errors';
import type { ChosenRegistry } from '../../../protocol/nmos';

/** Of a kind; a window keeps as many. */
const mostResources = 20_000;
const [firstWaitMs, longestWaitMs] = [1000, 30_000];

export type ResourceKey = readonly [SeenType, string];

export interface ReaderEvents {
  /** Came, changed or went. */
  onResources(keys: readonly ResourceKey[]): void;
  onState(): void;
}

/** The resources of one registry, from the first request until it is closed. One that does not answer is tried again. */
export class RegistryReader {
  /** Of its Query API, without a path. */
  readonly url: string;
  private readonly client = new RestClient();
  private mirror: ResourceMirror<SeenType> | null = null;
  private query: QueryApi | null = null;
  private state: Pick<ChosenRegistry, 'state' | 'reason'> = { state: 'reading', reason: null };
  private readonly closing = new AbortController();
  private readonly started: Promise<void>;

  /** @throws WhitelineError BAD_INPUT for what is no URL of a registry */
  constructor(
    private readonly clock: Clock,
    url: string,
    private readonly events: ReaderEvents,
  ) {
    this.url = registryOrigin(url, 'registry', { allowsHttps: true, allowsApiPath: true });
    this.started = this.start();
  }

  now(): ChosenRegistry {
    const { url, state, query, mirror } = this;
    const figures = mirror?.figures();
    return {
      ...{ url, ...state, version: query?.version ?? null },
      syncedMs: figures?.syncedMs ?? null,
      leftOut: figures?.leftOut ?? 0,
      leftOutFirst: figures?.leftOutFirst ?? null,
    };
  }

  all<Type extends SeenType>(type: Type): ReadonlyMap<string, SeenResources[Type]> {
    return this.mirror?.all(type) ?? new Map();
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.client.close();
    await this.started;
    await this.mirror?.close();
  }

  private async start(): Promise<void> {
    const { signal } = this.closing;
    for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      try {
        this.query = await findQueryApi(this.client, this.url);
        if (!signal.aborted) this.follow(this.query);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.enter({ state: 'unread', reason: problemText(toProblem(error)) });
      }
      await this.clock.sleep(waitMs, signal);
    }
  }

  private follow(query: QueryApi): void {
    this.enter({ state: 'reading', reason: null });
    this.mirror = new ResourceMirror<SeenType>({
      ...{ client: this.client, clock: this.clock, query, types: seenTypes, mostResources },
      onState: (state) => this.enter(this.stateOf(state)),
      onChange: (changes) =>
        this.events.onResources(
          seenTypes.flatMap((type): ResourceKey[] => {
            const { set = [], removed = [] } = changes[type] ?? {};
            return [...set.map(({ id }) => id), ...removed].map((id) => [type, id]);
          }),
        ),
    });
  }

  private stateOf(state: MirrorState): Pick<ChosenRegistry, 'state' | 'reason'> {
    if (state.is === 'complete') return { state: 'live', reason: null };
    if (state.is !== 'lost') return { state: 'reading', reason: null };
    const isAnyRead = seenTypes.some((type) => this.all(type).size > 0);
    return { state: isAnyRead ? 'lost' : 'unread', reason: state.reason };
  }

  private enter(state: Pick<ChosenRegistry, 'state' | 'reason'>): void {
    this.state = state;
    this.events.onState();
  }
}
