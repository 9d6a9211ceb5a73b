import { machineCheck } from '../../engine/experiment/machine-check';
import type { RemoteMachine } from '../../engine/host-application';
import type { HostSettings } from '../../engine/streams/stream-host';
import { carriedBytes, here, type ProgramNetwork } from '../../engine/tools/namespace';
import { mayMakeNetworks } from '../../engine/tools/rights';
import { findTool, runTool } from '../../engine/tools/run-tool';
import { throwAll, wrongBy } from '../../protocol/all-wrong';
import { badInput, type WhitelineError } from '../../protocol/errors';
import { type PacingParameters, pacingParameters } from './declaration';
import { isBetween } from './machine-ends';
import { OwnNetwork, ownReceiver, ownSender } from './own-network';
import { findPacer, type InterfaceFacts, inspectInterface } from './pacer-program';
import type { StreamPlan } from './stream-plan';

const loopback = '127.0.0.1';

/** Between which ends packets go. */
export type PathKind = 'own' | 'interfaces' | 'loopback' | 'listen' | 'machines';

/** Of this machine alone. */
type OwnKind = Exclude<PathKind, 'machines'>;

export const pathWords: Record<PathKind, string> = {
  own: 'two interfaces in memory (veth), no wire',
  interfaces: 'two interfaces of this machine',
  loopback: 'UDP over loopback, no wire',
  listen: 'from another sender',
  machines: 'UDP between two machines',
};

export interface End extends ProgramNetwork {
  interface: string;
  /** Of the fleet; absent: this one. */
  machine?: RemoteMachine;
}

export interface OpenPath {
  kind: PathKind;
  sender: End;
  receiver: End;
  /** Of UDP: where the receiver listens. */
  address: string;
  /** What stream hosts have to be started with for streams to go this way too; null: they do anyway. */
  streamHosts: Partial<HostSettings> | null;
  /** By what sends, so far; not between interfaces that are named, which no stream takes. */
  carriedBytes(): number;
  close(): Promise<void>;
}

/** Where raw frames or namespaces are not permitted, loopback shows the methods all the same. */
function ownKindOf({ listenInterface, interface: name, path }: PacingParameters): OwnKind {
  if (listenInterface !== '') return 'listen';
  if (path === 'udp') return 'loopback';
  if (name !== '') return 'interfaces';
  return mayMakeNetworks() && findTool('unshare') !== null ? 'own' : 'loopback';
}

export function pathKindOf(parameters: PacingParameters): PathKind {
  return isBetween(parameters) ? 'machines' : ownKindOf(parameters);
}

/**
 * Checks what is known of the interfaces before a run.
 * @throws WhitelineError naming the field, the interface and the remedy
 */
export async function checkPath(parameters: PacingParameters, plan: StreamPlan): Promise<void> {
  const { interface: name, peerInterface, listenInterface } = parameters;
  if (listenInterface !== '') {
    if (name !== '' || peerInterface !== '') {
      throw badInput(
        'listenInterface',
        'no interface beside it: nothing is sent',
        listenInterface,
        'Name no interface that sends',
      );
    }
    return checkInterface('listenInterface', listenInterface, null);
  }
  if ((name === '') !== (peerInterface === '')) {
    const missing = name === '' ? 'interface' : 'peerInterface';
    throw badInput(missing, 'both ends or neither', '', 'Name the other end too');
  }
  if (name === '') return;
  if (parameters.path === 'udp') {
    throw badInput(
      'path',
      'ethernet between two interfaces',
      'udp',
      'Datagrams of this machine go over loopback',
    );
  }
  if (name === peerInterface) {
    throw badInput('peerInterface', 'another interface than that which sends', peerInterface);
  }
  throwAll(
    await wrongBy(
      () => checkInterface('interface', name, plan),
      () => checkInterface('peerInterface', peerInterface, plan),
    ),
  );
}

const ends = { sendOn: true, receiveOn: true } as const;

/** Of each interface by itself; between machines, none is of this one alone. */
export const interfaceChecks = [
  machineCheck(pacingParameters.pick({ interface: true, ...ends }), ({ interface: name, ...places }) =>
    requireHere('interface', name, places),
  ),
  machineCheck(pacingParameters.pick({ peerInterface: true, ...ends }), ({ peerInterface, ...places }) =>
    requireHere('peerInterface', peerInterface, places),
  ),
  machineCheck(pacingParameters.pick({ listenInterface: true, ...ends }), ({ listenInterface, ...places }) =>
    requireHere('listenInterface', listenInterface, places),
  ),
];

async function requireHere(
  field: string,
  name: string,
  places: Pick<PacingParameters, 'sendOn' | 'receiveOn'>,
): Promise<void> {
  if (name !== '' && !isBetween(places)) await checkInterface(field, name, null);
}

async function checkInterface(field: string, name: string, plan: StreamPlan | null): Promise<void> {
  checkFacts({ field, name }, await inspectInterface(name, here, runTool), plan);
}

/**
 * @param facts null: there is no such interface
 * @param plan null: nothing is sent
 * @throws WhitelineError naming the field, the interface and the remedy
 */
export function checkFacts(
  { field, name }: { field: string; name: string },
  facts: InterfaceFacts | null,
  plan: Pick<StreamPlan, 'packetBytes' | 'wireMbps'> | null,
): void {
  if (!facts) throw badInput(field, 'a network interface of this machine', name, 'See ip link');
  const { isEthernet, isUp, hasCarrier, mtuBytes, speedMbps, mayUseRawFrames } = facts;
  const refuse = (expected: string, remedy: string): WhitelineError =>
    badInput(field, expected, name, remedy);
  if (!isEthernet) throw refuse('an Ethernet interface', 'See ip link');
  if (!isUp) throw refuse('an interface that is up', `ip link set ${name} up`);
  if (!hasCarrier) throw refuse('an interface with a link', 'Check its cable and the other end');
  if (!mayUseRawFrames) {
    const command = `sudo setcap cap_net_raw,cap_net_admin,cap_sys_nice,cap_ipc_lock+ep ${findPacer()}`;
    throw refuse('the right to raw frames (CAP_NET_RAW)', `Start Whiteline as root, or: ${command}`);
  }
  if (!plan) return;
  if (plan.packetBytes > mtuBytes) {
    throw refuse(
      `an MTU of ${plan.packetBytes} bytes at least (it has ${mtuBytes})`,
      'Choose fewer channels or bits',
    );
  }
  if (speedMbps !== null && plan.wireMbps > speedMbps) {
    throw refuse(
      `a link that carries ${plan.wireMbps.toFixed(1)} Mb/s (it has ${speedMbps})`,
      'Choose a longer interval, fewer channels or bits',
    );
  }
}

/** @throws WhitelineError TOOL_FAILED if it cannot be opened */
export async function openPath(parameters: PacingParameters): Promise<OpenPath> {
  const kind = ownKindOf(parameters);
  if (kind === 'own') return openOwn(parameters);
  const { interface: name, peerInterface, listenInterface } = parameters;
  const names = { loopback: ['lo', 'lo'], listen: ['', listenInterface], interfaces: [name, peerInterface] };
  const [sender, receiver] = [at(names[kind][0] ?? ''), at(names[kind][1] ?? '')];
  const carried = () => carriedBytes('self', sender.interface).transmitted;
  const close = async () => undefined;
  return { kind, sender, receiver, address: loopback, streamHosts: null, carriedBytes: carried, close };
}

async function openOwn({ beside }: PacingParameters): Promise<OpenPath> {
  const network = await OwnNetwork.create();
  try {
    return {
      kind: 'own',
      sender: at(ownSender, network.sender),
      receiver: at(ownReceiver, network.receiver),
      address: loopback,
      streamHosts: beside === 'nothing' ? null : await network.join(),
      carriedBytes: () => network.carriedBytes(),
      close: () => network.close(),
    };
  } catch (error) {
    await network.close();
    throw error;
  }
}

function at(name: string, { inside }: ProgramNetwork = here): End {
  return { interface: name, inside };
}
