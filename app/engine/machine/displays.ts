import { readFileSync } from 'node:fs';
import type { HostEnvironment } from '../../protocol/environment';
import { findTool } from '../tools/run-tool';
import { askTool, NotKnown, namesIn, readText } from './facts';

type Displays = NonNullable<HostEnvironment['displays']>;
type Gpus = NonNullable<HostEnvironment['gpus']>;

const drmFolder = '/sys/class/drm';

/** By the X server where one is asked for; otherwise what the displays themselves prefer. Linux; others: not reported. */
export async function readDisplays(environment = process.env, folder = drmFolder): Promise<Displays> {
  if (environment.DISPLAY && findTool('xrandr')) return parseXrandr(await askTool('xrandr', '--query'));
  const connectors = namesIn(folder).filter((name) => /^card\d+-/.test(name));
  if (connectors.length === 0) throw new NotKnown(`the kernel drives no display (${folder})`);
  return connectors
    .filter((name) => readText(`${folder}/${name}/status`) === 'connected')
    .map((name) => ({ connector: name.replace(/^card\d+-/, ''), ...preferred(`${folder}/${name}`) }));
}

function preferred(folder: string): Omit<Displays[number], 'connector'> {
  const [mode = null] = readText(`${folder}/modes`)?.split('\n') ?? [];
  return parseEdid(readFileSync(`${folder}/edid`)) ?? { name: null, mode, refreshHz: null };
}

const edidBytes = 128;
const firstTiming = 54;
const descriptorBytes = 18;

/** A display's own description: its name, and the mode that it prefers. Null if the data is not such a description. */
export function parseEdid(edid: Buffer): Omit<Displays[number], 'connector'> | null {
  if (edid.length < edidBytes || edid.readUInt32BE(0) !== 0x00ffffff) return null;
  let name: string | null = null;
  for (let at = firstTiming; at + descriptorBytes <= edidBytes - 2; at += descriptorBytes) {
    const isName = edid.readUInt16LE(at) === 0 && edid[at + 3] === 0xfc;
    if (isName) name = edid.toString('latin1', at + 5, at + descriptorBytes).trim();
  }
  const clockHz = edid.readUInt16LE(firstTiming) * 10_000;
  if (clockHz === 0) return { name, mode: null, refreshHz: null };
  const byte = (offset: number): number => edid[firstTiming + offset] ?? 0;
  const width = byte(2) | ((byte(4) & 0xf0) << 4);
  const height = byte(5) | ((byte(7) & 0xf0) << 4);
  const total =
    (width + (byte(3) | ((byte(4) & 0x0f) << 8))) * (height + (byte(6) | ((byte(7) & 0x0f) << 8)));
  return { name, mode: `${width}x${height}`, refreshHz: Math.round((clockHz / total) * 100) / 100 };
}

/** Of `xrandr --query`: the mode of each display that is on. */
export function parseXrandr(output: string): Displays {
  const displays: Displays = [];
  let connector = '';
  for (const line of output.split('\n')) {
    const head = /^(\S+) (connected|disconnected)/.exec(line);
    if (head) connector = head[2] === 'connected' ? (head[1] ?? '') : '';
    const [, mode, rates] = /^\s+(\d+x\d+i?)\s+(.+)$/.exec(line) ?? [];
    const rate = /([\d.]+)\s?\*/.exec(rates ?? '')?.[1];
    if (connector && mode && rate) displays.push({ connector, name: null, mode, refreshHz: Number(rate) });
  }
  return displays;
}

/** Cards that the kernel drives, with NVIDIA's own words where its driver is. */
export async function readGpus(folder = drmFolder): Promise<Gpus> {
  if (findTool('nvidia-smi')) {
    const query = ['--query-gpu=name,driver_version,pci.bus_id', '--format=csv,noheader'];
    return parseNvidia(await askTool('nvidia-smi', ...query));
  }
  const cards = namesIn(folder).filter((name) => /^card\d+$/.test(name));
  if (cards.length === 0) throw new NotKnown('no card in /sys/class/drm, and nvidia-smi is not installed');
  return cards.map((card) => {
    const facts = readText(`${folder}/${card}/device/uevent`) ?? '';
    const field = (name: string): string | null => new RegExp(`^${name}=(.+)$`, 'm').exec(facts)?.[1] ?? null;
    const driver = field('DRIVER');
    return {
      name: field('PCI_ID') ?? card,
      driver,
      driverVersion: driver && readText(`/sys/module/${driver}/version`),
      bus: field('PCI_SLOT_NAME'),
    };
  });
}

/** @throws NotKnown if a line has not the three fields that were asked for */
export function parseNvidia(output: string): Gpus {
  return output
    .trim()
    .split('\n')
    .map((line) => {
      const [name, driverVersion, bus, ...rest] = line.split(', ');
      if (!name || !driverVersion || !bus || rest.length > 0)
        throw new NotKnown(`nvidia-smi wrote ${JSON.stringify(line.slice(0, 80))}`);
      return { name, driver: 'nvidia', driverVersion, bus };
    });
}
