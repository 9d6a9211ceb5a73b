import type { HostEnvironment } from '../protocol/environment';
import type { MovieFacts } from '../protocol/records';
import type { Thresholds } from '../protocol/thresholds';

/** Names of fields anywhere within a value; keys of a record are names of things, and none of ours. */
type FieldOf<Value> = Value extends readonly (infer Item)[]
  ? FieldOf<Item>
  : Value extends object
    ? {
        [Name in keyof Value & string]: string extends Name
          ? never
          : Name | FieldOf<NonNullable<Value[Name]>>;
      }[keyof Value & string]
    : never;

type MachineField = FieldOf<HostEnvironment>;

const machineWords: Readonly<Record<MachineField, string>> = {
  ...{ hostName: 'Host name', system: 'System', kernel: 'Kernel', distribution: 'Distribution' },
  ...{ virtualisation: 'Virtualisation', cpuModel: 'CPU model', cores: 'Cores', memoryMb: 'Memory (MB)' },
  ...{ mainboard: 'Mainboard', vendor: 'Vendor', product: 'Product', version: 'Version', bios: 'BIOS' },
  ...{ memoryModules: 'Memory modules', place: 'Place', sizeMb: 'Size (MB)', kind: 'Kind' },
  ...{ megatransfers: 'Megatransfers', maker: 'Maker', part: 'Part' },
  ...{
    drives: 'Drives',
    name: 'Name',
    model: 'Model',
    bus: 'Bus',
    sizeGb: 'Size (GB)',
    rotating: 'Rotating',
  },
  ...{ gpus: 'GPUs', driver: 'Driver', driverVersion: 'Driver version' },
  ...{ displays: 'Displays', connector: 'Connector', mode: 'Mode', refreshHz: 'Refresh (Hz)' },
  ...{ interfaces: 'Interfaces', state: 'State', mtuBytes: 'MTU (bytes)', speedMbps: 'Speed (Mb/s)' },
  ...{ duplex: 'Duplex', firmware: 'Firmware', eee: 'EEE', pcie: 'PCIe', width: 'Width' },
  ...{ mostWidth: 'Most width', gigatransfers: 'Gigatransfers', mostGigatransfers: 'Most gigatransfers' },
  ...{ power: 'Power', governors: 'CPU governor', plan: 'Plan' },
  ...{ clockSync: 'Clock sync', by: 'By', offsetUs: 'Offset (µs)', detail: 'Detail' },
  ...{ threadPolicy: 'Thread policy', threads: 'Threads', pacing: 'Pacing', sending: 'Sending' },
  ...{
    receiving: 'Receiving',
    background: 'Background',
    looking: 'Looking',
    nice: 'Nice',
    core: 'Core',
    task: 'Task of Windows',
    priority: 'Priority',
  },
  ...{ realTimePriority: 'Real time priority', timerSlackNs: 'Timer slack (ns)', sliceNs: 'Slice (ns)' },
  ...{ memoryIsLocked: 'Memory locked', refused: 'Refused' },
  ...{ ndiConfiguration: 'NDI configuration', path: 'Path', sha256: 'SHA-256', settings: 'Settings' },
  ...{ switches: 'Switches', interface: 'Interface', description: 'Description', port: 'Port' },
  ...{ versions: 'Versions', notKnown: 'Not known' },
};

const movieWords: Readonly<Record<FieldOf<MovieFacts>, string>> = {
  ...{ fourCC: 'FourCC', variant: 'Variant', width: 'Width', height: 'Height', isTurned: 'Turned' },
  ...{ pixelAspect: 'Pixel aspect', rateNumerator: 'Rate, numerator', rateDenominator: 'Rate, denominator' },
  ...{ constantRate: 'Constant rate', frames: 'Frames', durationSeconds: 'Duration (s)' },
  ...{ fileBytes: 'File (bytes)', bitrateMbps: 'Bitrate (Mb/s)', largestFrameBytes: 'Largest frame (bytes)' },
  ...{ chunksMin: 'Fewest chunks', chunksMax: 'Most chunks', compressor: 'Compressor', problems: 'Problems' },
};

/** What runs note beside that: of sources, networks and tools. A test holds the recorded runs of all experiments against it. */
const runWords = {
  ...{ hosts: 'Machines', machine: 'In the fleet', id: 'id', clockUncertaintyMs: 'Clock uncertainty (ms)' },
  ...{ clockDriftPpm: 'Clock drift (ppm)', topology: 'Set-up', switch: 'Switch, as noted', node: 'Node.js' },
  ...{ whiteline: 'Whiteline', ndi: 'NDI', receivedFormats: 'Received formats', sources: 'Sources' },
  ...{ source: 'Source', playedBy: 'Played by', codec: 'Codec', format: 'Format', ownFormat: 'Own format' },
  ...{ remarks: 'Remarks', preload: 'Preload', reads: 'Reads', startFrame: 'Start frame', clips: 'Clips' },
  ...{ bytes: 'Bytes', modifiedAt: 'Modified at', sha256OfEnds: 'SHA-256 of its ends', cases: 'Cases' },
  ...{ fanOut: 'Fan out', library: 'Library', linkMbps: 'Link (Mb/s)', link: 'Link', address: 'Address' },
  ...{ lineRate: 'Line rate', mbps: 'Mb/s', interfaceName: 'Interface name', loopback: 'Loopback' },
  ...{ otherHost: 'Other host', iperf3: 'iperf3', iperf3Server: 'iperf3 of the server' },
  ...{ notMeasured: 'Not measured', nmos: 'NMOS', registry: 'Registry', intervalNs: 'Interval (ns)' },
  ...{
    samples: 'Samples',
    packetBytes: 'Packet (bytes)',
    wireMbps: 'Wire (Mb/s)',
    transitNs: 'Transit (ns)',
  },
  ...{ folders: 'Folders', mount: 'Mount', mountPoint: 'Mount point', fileSystem: 'File system' },
  ...{ freeMib: 'Free (MiB)', lineRateMbps: 'Line rate (Mb/s)', lineRateSource: 'Line rate source' },
  ...{ fio: 'fio', hapQ: 'Hap Q', megabytesPerSecond: 'MB/s', assumption: 'Assumption' },
};

/** The one table of names: reports, comparisons and the terminal name a recorded field alike. */
const fieldNames: Readonly<Record<string, string>> = { ...movieWords, ...runWords, ...machineWords };

/** Undefined: it is no field of ours, but the name of a thing, such as a program or a network card. */
export function nameOfField(field: string): string | undefined {
  return Object.hasOwn(fieldNames, field) ? fieldNames[field] : undefined;
}

/** One of several things of a machine or a run, before its own name. */
const thingWords: Readonly<Record<string, string>> = {
  ...{ hosts: 'Machine', interfaces: 'network card', drives: 'drive', gpus: 'GPU', displays: 'display' },
  ...{ memoryModules: 'memory module', switches: 'switch', folders: 'folder', sources: 'source' },
};

/** What one entry of a list is. */
export function nameOfThing(list: string): string {
  return thingWords[list] ?? nameOfField(list) ?? list;
}

export const thresholdNames: Readonly<Record<keyof Thresholds, string>> = {
  acceptableLostFrames: 'acceptable lost frames',
  lostWindowSeconds: 'window of the lost frames (s)',
  connectTimeoutSeconds: 'time to connect (s)',
  saturatedPercent: 'load that counts as full (%)',
  maxOthersPercent: 'CPU of other programs (%)',
  maxSampleGapSeconds: 'time without a load sample (s)',
  maxStandstillSeconds: 'standstill of our processes (s)',
  maxToolStandstillSeconds: 'standstill of tools (s)',
  maxFlushDelaySeconds: 'delay of a row’s writing (s)',
  maxStealPercent: 'CPU taken by the hypervisor (%)',
  maxSuspendSeconds: 'sleep of the machine (s)',
  maxWallStepMs: 'step of the wall clock (ms)',
};

/** Parameters of runs of no experiment, where the console and those of experiments have no other words: the flags of `watch` and `send`. */
export const commandParameters: Readonly<Record<string, string>> = {
  ...{ names: 'Senders', duration: 'Length of the run', from: 'Hosts asked for their sources' },
  ...{
    address: 'Addresses of the senders',
    thresholds: 'Profile of thresholds',
    programme: 'Watched as a programme',
  },
  ...{ maxDuplicates: 'Duplicates allowed', maxReordered: 'Reordered frames allowed' },
  ...{ maxLost: 'Lost frames allowed', failOnWarn: 'WARN counts as FAIL', groups: 'NDI groups' },
  ...{ interface: 'Network interface', streams: 'Streams', ownSources: 'A source for each stream' },
  ...{ inject: 'Faults to inject', seconds: 'Length of the run' },
};
