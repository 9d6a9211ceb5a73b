import type { Of } from '../../facts/alike-facts';
import { entriesOf, type FoundWords, noReason, type OfInterface } from './shared-reasons';

/** Work on packets that is done once for many: by the card, or by the kernel late. By the kernel's names and ethtool's. */
export const wantedOffloads: readonly { feature: string; flag: string; text: string }[] = [
  { feature: 'tx-scatter-gather', flag: 'sg', text: 'scatter-gather' },
  { feature: 'tx-tcp-segmentation', flag: 'tso', text: 'TCP segmentation' },
  { feature: 'tx-generic-segmentation', flag: 'gso', text: 'generic segmentation' },
  { feature: 'rx-gro', flag: 'gro', text: 'generic receive' },
];

type DriverData = { name: string; driver: string; version: string; firmware: string; bus: string };
type MtuData = { name: string; mtuBytes: number };
type PathData = { name: string; host: string; pathMtuBytes: number; ownMtuBytes: number };
/** `lanes` that are in use, and the rate of each in GT/s. */
type SlotData = { name: string; lanes: number; gigatransfers: number; carriedMbps: number };
/** Since the interface came up. */
type PacketsData = { name: string; broken: number; dropped: number };

/** What the preflight finds of the card and its link, in words. */
export const cardReasons = {
  loopback: () => ({ found: 'loopback: no packet leaves this machine' }),
  'link-put-off': (of: OfInterface) => ({
    found: `${of.word('name')} is put off`,
    advice: 'Put it on',
    command: `ip link set dev ${of.word('name')} up`,
  }),
  'link-absent': (of: OfInterface) => ({
    found: `${of.word('name')} has no link: nothing answers at the other end of its cable`,
    advice: 'Check the cable and the port of the switch',
    command: `ethtool ${of.word('name')}`,
  }),
  'half-duplex': (of: OfInterface) => ({
    found: `${of.word('name')} cannot send and receive at the same time (half duplex)`,
    advice: 'Turn autonegotiation on at both ends, and check the cable',
    command: `ethtool -s ${of.word('name')} autoneg on`,
  }),
  'speed-not-known': (of: Of<{ name: string; why: string }>) => ({
    found: `the speed of ${of.word('name')} is not known: ${of.word('why')}`,
    advice: 'Measure it with the link experiment',
  }),
  'speed-low': (of: Of<{ name: string; speedMbps: number }>) => ({
    found: speedText(of),
    advice: 'Check the cable (all eight wires), and turn autonegotiation on at both ends',
    command: `ethtool -s ${of.word('name')} autoneg on`,
  }),
  speed: (of: Of<{ name: string; speedMbps: number; isFullDuplex: boolean }>) => ({
    found: `${speedText(of)}${of.is('isFullDuplex') ? ', full duplex' : ''}`,
  }),
  'interface-absent': (of: OfInterface) => ({
    found: `the kernel knows no interface ${of.word('name')} (sysfs)`,
  }),

  driver: (of: Of<DriverData>) => ({ found: driverText(of) }),
  'driver-on-usb': (of: Of<DriverData>) => ({
    found: driverText(of),
    advice: 'A card on USB shares its bus and costs CPU time; use one on PCIe for video',
  }),
  'driver-not-known': (of: Of<{ name: string; why: string | null }>) => ({
    found: `${of.word('name')} does not report its driver: ${of.word('why', noReason)}`,
  }),

  mtu: (of: Of<MtuData>) => ({ found: mtuText(of) }),
  'mtu-small': (of: Of<MtuData & { usualBytes: number }>) => ({
    found: mtuText(of),
    advice:
      'Each frame needs more packets, and larger packets from other machines may be lost: use the MTU of the other machines here',
    command: mtuCommand(of.word('name'), of.number('usualBytes')),
  }),
  'mtu-beyond-switches': (of: Of<MtuData & { mostBytes: number }>) => ({
    found: mtuText(of),
    advice: `Many switches carry no more than ${of.number('mostBytes')} bytes and silently drop larger packets`,
    command: mtuCommand(of.word('name'), of.number('mostBytes')),
  }),
  'mtu-large': (of: Of<MtuData>) => ({
    found: mtuText(of),
    advice:
      'Every card and switch on the path must carry packets of this size; see the MTU to the other host',
  }),
  'mtu-not-reported': (of: OfInterface) => ({ found: `${of.word('name')} does not report its MTU` }),

  'path-carries-all': (of: Of<Pick<PathData, 'host' | 'pathMtuBytes'>>) => ({
    found: `${pathText(of)}, as large as this machine’s MTU`,
  }),
  'path-reports-less': (of: Of<PathData>) => ({
    found: `${pathText(of)}; this machine sends ${of.number('ownMtuBytes')}`,
    advice:
      'A router on the path reports the limit, and TCP follows it; set the same MTU on all cards and switches',
    command: mtuCommand(of.word('name'), of.number('pathMtuBytes')),
  }),
  'path-drops-larger': (of: Of<PathData>) => ({
    found: `${pathText(of)}; larger ones, of up to ${of.number('ownMtuBytes')}, are lost`,
    advice:
      'Something on the path silently drops larger packets, which costs frames and slows TCP down: find it, or lower this machine’s MTU',
    command: mtuCommand(of.word('name'), of.number('pathMtuBytes')),
  }),
  'ping-not-answered': (of: Of<{ host: string }>) => ({
    found: `${of.word('host')} does not answer ping`,
    advice: 'Check that the machine is on, and let it answer ping while the network is tested',
    command: `ping -c 3 ${of.word('host')}`,
  }),

  'eee-off': (of: OfInterface) => ({ found: `Energy-Efficient Ethernet is off on ${of.word('name')}` }),
  'eee-on-one-end': (of: OfInterface) => ({
    found: `${of.word('name')} is set to sleep between packets, but its link never does`,
    advice: 'The other end does not take part. Turn it off, so that another switch does not change this',
  }),
  'eee-active': (of: OfInterface) => ({
    found: `${of.word('name')} and the other end of its cable sleep between packets (Energy-Efficient Ethernet)`,
    advice: 'Waking up costs time at every burst: turn it off here and on the switch',
    command: `ethtool --set-eee ${of.word('name')} eee off`,
  }),
  'eee-not-known': (of: Of<{ name: string; why: string | null }>) => ({
    found: `it is not known whether ${of.word('name')} sleeps between packets: ${of.word('why', noReason)}`,
    command: `ethtool --show-eee ${of.word('name')}`,
  }),

  offloads: (of: Of<{ name: string; features: string }>) => ({
    found: `${of.word('name')} offloads ${offloadsOf(of, 'text').join(', ')}`,
  }),
  'offloads-off': (of: Of<{ name: string; features: string }>) => ({
    found: `${of.word('name')} does not offload ${offloadsOf(of, 'text').join(', ')}`,
    advice: 'The CPU then handles each packet: turn it on, unless the driver is known to be faulty',
    command: `ethtool -K ${of.word('name')} ${offloadsOf(of, 'flag')
      .map((flag) => `${flag} on`)
      .join(' ')}`,
  }),
  'offloads-not-known': (of: Of<{ name: string; why: string | null }>) => ({
    found: `the offloads of ${of.word('name')} are not known: ${of.word('why', noReason)}`,
  }),

  slot: (of: Of<SlotData>) => ({ found: slotText(of) }),
  'slot-narrow-enough': (of: Of<SlotData & { cardLanes: number }>) => ({
    found: `${slotText(of)}: enough, though the card has ${of.number('cardLanes')}`,
  }),
  'slot-narrow': (of: Of<SlotData & { cardLanes: number }>) => ({
    found: `${slotText(of)}; the card has ${of.number('cardLanes')}`,
    ...moreLanes,
  }),
  'slot-too-slow': (of: Of<SlotData & { speedMbps: number }>) => ({
    found: `${slotText(of)}: less than its link of ${of.number('speedMbps', String)} Mb/s needs`,
    ...moreLanes,
  }),
  'slot-not-reported': (of: OfInterface) => ({
    found: `the slot of ${of.word('name')} does not report its lanes or their speed`,
  }),

  'no-errors': (of: Of<PacketsData>) => ({
    found: `${of.word('name')} counts no errors now; ${totalsText(of)}`,
  }),
  'broken-earlier': (of: Of<PacketsData>) => ({
    found: `${of.word('name')} counts no errors now, but ${totalsText(of)}`,
    advice: 'Check it again under load',
    command: `ethtool -S ${of.word('name')}`,
  }),
  'packets-broken': (of: Of<{ name: string; packets: number; seconds: number }>) => ({
    found: `${of.word('name')} counted ${of.number('packets')} broken packets in ${of.number('seconds', String)} s`,
    advice: 'Check the cable, its plugs and the port of the switch',
    command: `ethtool -S ${of.word('name')}`,
  }),
  'packets-dropped': (of: Of<{ name: string; packets: number; seconds: number }>) => ({
    found: `${of.word('name')} dropped ${of.number('packets')} packets in ${of.number('seconds', String)} s`,
    advice:
      'This machine may be too slow to take or send them, or no program here wants them: find out which',
    command: `ethtool -S ${of.word('name')}; ethtool -g ${of.word('name')}`,
  }),
  'packets-not-counted': (of: OfInterface) => ({
    found: `the kernel has no packet counters for ${of.word('name')}`,
  }),
} satisfies FoundWords;

const moreLanes = {
  advice: 'Move the card to a slot with more lanes, or check the slot’s setting in the firmware',
  command: 'lspci -vv | grep -A 40 -i ethernet | grep LnkSta',
};

function speedText(of: Of<{ name: string; speedMbps: number }>): string {
  return `${of.word('name')} runs at ${of.number('speedMbps', String)} Mb/s`;
}

function driverText(of: Of<DriverData>): string {
  const [firmware, bus] = [of.word('firmware', ''), of.word('bus', '')];
  const parts = [
    `${of.word('driver')} ${of.word('version', '')}`.trim(),
    firmware && `firmware ${firmware}`,
    bus && `at ${bus}`,
  ];
  return `${of.word('name')} is driven by ${parts.filter(Boolean).join(', ')}`;
}

function mtuText(of: Of<MtuData>): string {
  return `${of.word('name')} carries packets of up to ${of.number('mtuBytes')} bytes`;
}

function mtuCommand(name: string, bytes: string): string {
  return `ip link set dev ${name} mtu ${bytes}`;
}

function pathText(of: Of<Pick<PathData, 'host' | 'pathMtuBytes'>>): string {
  return `packets of up to ${of.number('pathMtuBytes')} bytes reach ${of.word('host')} and come back`;
}

function offloadsOf(of: Of<{ features: string }>, name: 'flag' | 'text'): string[] {
  return entriesOf(of, 'features').map(
    (feature) => wantedOffloads.find((known) => known.feature === feature)?.[name] ?? feature,
  );
}

function slotText(of: Of<SlotData>): string {
  const unit = of.count('lanes') === 1 ? 'lane' : 'lanes';
  const lanes = `${of.number('lanes')} ${unit} of ${of.number('gigatransfers', String)} GT/s`;
  const carried = of.number('carriedMbps', (mbps) => String(Math.round(mbps / 1000)));
  return `${of.word('name')} sits on ${lanes}, which carry ${carried} Gb/s`;
}

function totalsText(of: Of<PacketsData>): string {
  return `since it came up ${of.number('broken')} broken and ${of.number('dropped')} dropped`;
}
