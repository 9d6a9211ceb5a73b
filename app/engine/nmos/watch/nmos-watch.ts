import { type SeenType, seenTypes } from '../../../nmos/controller/resources';
import type { Clock } from '../../../protocol/clock';
import type { EngineState } from '../../../protocol/console';
import { WhitelineError } from '../../../protocol/errors';
import type {
  ChosenRegistry,
  NmosExamination,
  NmosMessage,
  NmosView,
  nmosCommands,
  SeenRegistry,
} from '../../../protocol/nmos';
import type { Handlers } from '../../../rpc/serve-commands';
import { dateNow } from '../../clock';
import { begunAt, examined, waysOf } from './examination';
import { Patches } from './patches';
import { RegistryReader } from './registry-reader';
import { RegistrySearch, type SearchOptions } from './registry-search';
import { shownResource } from './shown-resource';

/** A window that may show the screen NMOS. */
export interface NmosWindow {
  post(message: NmosMessage): void;
}

/** Windows are informed at most this often. */
const pushEveryMs = 250;
/** Per message: a window processes this many within a frame or two. */
const mostPerMessage = 4000;

interface OpenWindow {
  /** Of the registry whose resources it has. */
  generation: number;
  /** Ids, by kind, of resources that are missing or out of date in the window. */
  due: Record<SeenType, Set<string>>;
}

/**
 * What the screen NMOS of all windows shows. It looks for registries and reads one only while a window shows it, and while no
 * experiment measures.
 */
export class NmosWatch {
  private readonly windows = new Map<NmosWindow, OpenWindow>();
  private search: RegistrySearch | null = null;
  /** Until the search ended. */
  private seenBefore: SeenRegistry[] = [];
  private reader: RegistryReader | null = null;
  /** Stays when the screen is closed. */
  private chosenUrl: string | null = null;
  private generation = 0;
  private isPaused = false;
  private readonly patches: Patches;
  private examination: NmosExamination | null = null;
  private isPushDue = false;

  /** Tests have a closed circle of multicast DNS of their own, and less patience. */
  constructor(
    private readonly clock: Clock,
    private readonly options: SearchOptions & { listenSeconds?: number } = {},
  ) {
    this.patches = new Patches(clock, () => this.schedule());
  }

  /** What one window asks; each of them but the close registers it, so that its close ends what it requested. */
  commandsOf(window: NmosWindow): Handlers<typeof nmosCommands> {
    const shown = (act = (): void => undefined): null => {
      if (!this.windows.has(window)) this.open(window);
      act();
      return null;
    };
    return {
      openNmos: () => shown(),
      closeNmos: () => {
        this.close(window);
        return null;
      },
      chooseRegistry: ({ url }) => shown(() => this.choose(url)),
      leaveRegistry: () => shown(() => this.leave()),
      connectReceiver: async ({ receiverId, senderId }) => {
        shown();
        if (!this.reader) throw notReading(this.isPaused);
        await this.patches.connect(this.reader, receiverId, senderId);
        return null;
      },
      examineNetwork: ({ dnsServer, domain }) => shown(() => this.examine(dnsServer, domain)),
    };
  }

  /** The window closed, or no longer shows the screen. */
  close(window: NmosWindow): void {
    this.windows.delete(window);
    if (this.windows.size === 0) this.rest();
  }

  /** Ends with the engine, what devices are asked too. */
  end(): void {
    this.patches.close();
    this.rest();
  }

  /** Pauses while an experiment runs, so that nothing disturbs its measurement. */
  noteMode(mode: EngineState['mode']): void {
    const isPaused = mode === 'experiment' || (mode === 'stopping' && this.isPaused);
    if (isPaused === this.isPaused) return;
    this.isPaused = isPaused;
    if (isPaused) this.rest();
    else this.work();
    this.schedule();
  }

  private open(window: NmosWindow): void {
    this.windows.set(window, { generation: -1, due: nothingDue() });
    this.work();
    this.schedule();
  }

  private work(): void {
    if (this.windows.size === 0 || this.isPaused) return;
    this.search ??= new RegistrySearch(this.clock, () => this.schedule(), this.options);
    if (this.chosenUrl !== null && this.reader === null) this.read(this.chosenUrl);
  }

  private rest(): void {
    if (this.search) this.seenBefore = this.search.registries();
    void this.search?.close();
    this.search = null;
    void this.reader?.close();
    this.reader = null;
  }

  private choose(url: string): void {
    if (this.isPaused) throw paused();
    const reader = this.reader;
    this.read(url);
    void reader?.close();
    this.patches.forget();
    this.schedule();
  }

  /** @throws WhitelineError BAD_INPUT for what is no URL of a registry */
  private read(url: string): void {
    let state: ChosenRegistry['state'] = 'reading';
    const reader = new RegistryReader(this.clock, url, {
      onState: () => {
        const before = state;
        ({ state } = reader.now());
        // The list of registries would say for seconds what is so no longer.
        if (state !== before) this.search?.askNow(reader.url);
        this.schedule();
      },
      onResources: (keys) => {
        if (this.reader !== reader) return;
        for (const { due } of this.windows.values()) for (const [type, id] of keys) due[type].add(id);
        this.schedule();
      },
    });
    this.reader = reader;
    this.chosenUrl = reader.url;
    this.generation += 1;
  }

  private leave(): void {
    void this.reader?.close();
    this.reader = null;
    this.generation += 1;
    this.patches.forget();
    this.chosenUrl = null;
    this.schedule();
  }

  private examine(dnsServer: string, domain: string): void {
    if (this.isPaused) throw paused();
    if (this.examination?.isRunning) return;
    const ways = waysOf(dnsServer, domain, this.options.listenSeconds);
    const begun = begunAt(dateNow(this.clock).toISOString());
    this.examination = begun;
    this.schedule();
    void examined(begun, ways, this.clock, this.options.multicastPort).then((ended) => {
      this.examination = ended;
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.windows.size === 0 || this.isPushDue) return;
    this.isPushDue = true;
    this.clock.after(pushEveryMs, () => this.push());
  }

  private push(): void {
    this.isPushDue = false;
    const view = this.view();
    for (const [window, open] of this.windows) {
      const message = this.messageFor(open, view);
      window.post(message);
      if (this.reader && seenTypes.some((type) => open.due[type].size > 0)) this.schedule();
    }
  }

  private messageFor(open: OpenWindow, view: NmosView): NmosMessage {
    // While an experiment measures, windows keep what they have of the registry that is read again after it.
    const keeps = this.isPaused && this.chosenUrl !== null;
    if (open.generation !== this.generation && !keeps) {
      open.generation = this.generation;
      open.due = nothingDue();
      for (const type of seenTypes)
        for (const id of this.reader?.all(type).keys() ?? []) open.due[type].add(id);
    }
    const message: NmosMessage = {
      ...{ type: 'nmos', view, generation: open.generation, changed: [], removed: [] },
    };
    let left = mostPerMessage;
    for (const type of seenTypes) left -= this.fill(message, type, open.due[type], left);
    return message;
  }

  /**
   * Moves up to `most` resources from what is due into the message.
   * @returns how many
   */
  private fill(message: NmosMessage, type: SeenType, due: Set<string>, most: number): number {
    let taken = 0;
    const held = this.reader?.all(type);
    if (!held) return 0;
    for (const id of due) {
      if (taken >= most) break;
      const resource = held.get(id);
      if (resource) message.changed.push(shownResource(type, resource));
      else message.removed.push({ kind: type, id });
      due.delete(id);
      taken += 1;
    }
    return taken;
  }

  private view(): NmosView {
    return {
      isPaused: this.isPaused,
      registries: this.search?.registries() ?? this.seenBefore,
      discoveryProblem: this.search?.problem ?? null,
      chosen: this.reader?.now() ?? (this.chosenUrl === null ? null : pausedRegistry(this.chosenUrl)),
      patches: this.patches.all,
      examination: this.examination,
    };
  }
}

function nothingDue(): OpenWindow['due'] {
  return { node: new Set(), device: new Set(), sender: new Set(), receiver: new Set() };
}

function pausedRegistry(url: string): NmosView['chosen'] {
  return {
    ...{ url, state: 'paused', reason: null, version: null },
    ...{ syncedMs: null, leftOut: 0, leftOutFirst: null },
  };
}

function paused(): WhitelineError {
  return new WhitelineError({
    code: 'BAD_INPUT',
    message: 'An experiment is running, and this would disturb its measurement',
    remedy: 'Stop the experiment first',
  });
}

function notReading(isPaused: boolean): WhitelineError {
  if (isPaused) return paused();
  return new WhitelineError({
    code: 'BAD_INPUT',
    message: 'No registry is selected',
    remedy: 'Choose a registry first',
  });
}
