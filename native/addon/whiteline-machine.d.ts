/**
 * The typed face of the addon that reads what Windows says of the machine (whiteline-machine.node, of Windows alone); `loadMachineAddon` loads
 * it. It starts no thread and keeps nothing open. Counts rise from the start of the machine.
 */

/** A process as Windows books it. */
export interface BookedProcess {
  /** Of its file. */
  name: string;
  parentId: number;
  /** With all its threads, ended ones included. */
  cpuNs: number;
  /** Since the start of the machine. */
  startNs: number;
  memoryBytes: number;
  /** Each of its threads is suspended. */
  stopped: boolean;
  threads: { id: number; cpuNs: number }[];
}

export interface BookedInterface {
  /** As Windows shows it. */
  name: string;
  description: string;
  loopback: boolean;
  up: boolean;
  mtuBytes: number;
  speedBps: number | null;
  receiveBytes: number;
  receiveErrors: number;
  receiveDropped: number;
  transmitBytes: number;
  transmitErrors: number;
  transmitDropped: number;
}

/** Takes the picture of all processes that the next three functions tell of; false: Windows gave none. */
export function renewProcesses(): boolean;
export function processIds(): number[];
/** Null: there is no such process. */
export function process(id: number): BookedProcess | null;
/** Empty: it has none, or is gone. */
export function threadName(id: number): string;

/** `idleNs` of each core. Of more than one group of processors Windows tells those of one. */
export function cores(): { idleNs: number[]; hasSeveralGroups: boolean };
export function memory(): { totalBytes: number; availableBytes: number } | null;
export function interfaces(): BookedInterface[];
/** TCP segments that were sent again. */
export function tcpRetransmits(): number | null;
/** What processes took of engines of GPUs, mean since the call before; a text: why it is not known. */
export function gpuEngines(): { instance: string; percent: number }[] | string;

/** A text or a number below HKEY_LOCAL_MACHINE. */
export function registryText(key: string, name: string): string | null;
/** All texts of a key; empty: it has none, or is not there. */
export function registryTexts(key: string): string[];
/** Its name in Windows' language. */
export function powerPlan(): string | null;
/** Displays that the desktop uses, each with the card that drives it. */
export function displays(): {
  connector: string;
  gpu: string;
  width: number;
  height: number;
  refreshHz: number;
}[];
/** `bus`: number of STORAGE_BUS_TYPE. */
export function drives(): {
  name: string;
  model: string;
  bus: number;
  bytes: number;
  rotating: boolean | null;
}[];
