import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type HostEnvironment, hostEnvironmentSchema } from '../../protocol/environment';
import { safeParse } from '../../protocol/safe-parse';
import {
  type EnvironmentPart,
  environmentXml,
  parseEnvironmentPart,
} from '../../protocol/shared-environment';

/** A message that unpacks to more is nonsense, or worse. */
const mostUnpackedBytes = 1024 * 1024;

/** What a machine is, as messages for each receiver that connects to its senders. */
export function environmentMessages(environment: HostEnvironment): string[] {
  const text = deflateRawSync(JSON.stringify(environment)).toString('base64');
  return environmentXml(createHash('sha256').update(text).digest('hex').slice(0, 16), text);
}

/** How many environments are packed at once and remembered. */
const mostMachines = 64;

/** Puts together what comes of the machines at the other end; senders of one machine all report the same. */
export class EnvironmentReader {
  private readonly open = new Map<string, (string | undefined)[]>();
  private readonly reported = new Map<string, HostEnvironment | null>();

  /** The environment when its last part has come, and with each part of one that is known; null before, and for anything else. */
  add(xml: string): { host: HostEnvironment; isNew: boolean } | null {
    const part = parseEnvironmentPart(xml);
    if (!part) return null;
    const known = this.reported.get(part.id);
    if (known !== undefined) return known && { host: known, isNew: false };
    const parts = this.partsOf(part);
    if (!parts) return null;
    parts[part.part - 1] = part.text;
    if (parts.some((text) => text === undefined)) return null;
    this.open.delete(part.id);
    const host = unpack(parts.join(''));
    this.reported.set(part.id, host);
    return host && { host, isNew: true };
  }

  /** Null for one too many, or one that contradicts itself. */
  private partsOf({ id, parts }: EnvironmentPart): (string | undefined)[] | null {
    const known = this.open.get(id);
    if (known) return known.length === parts ? known : null;
    if (this.open.size + this.reported.size >= mostMachines) return null;
    const fresh = new Array<string | undefined>(parts).fill(undefined);
    this.open.set(id, fresh);
    return fresh;
  }
}

/** Null for what is not an environment: these are foreign bytes. */
function unpack(text: string): HostEnvironment | null {
  try {
    const json = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: mostUnpackedBytes });
    const parsed = safeParse(hostEnvironmentSchema, JSON.parse(json.toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
