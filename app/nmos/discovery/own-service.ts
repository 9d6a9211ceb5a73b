import { badInput } from '../../protocol/errors';
import { compareRecords, labelBytes, longestLabelBytes, type ServiceRecord, sameName } from './codec';
import { multicastDomain, type ServiceType } from './service-types';

export interface Announcement {
  type: ServiceType;
  /** What it is called among those of its type; one that is taken gets a number. */
  instance: string;
  port: number;
  txt: Readonly<Record<string, string>>;
}

/** RFC 6762 section 10. */
const hostTtlSeconds = 120;
const otherTtlSeconds = 75 * 60;
const metaQuery = `_services._dns-sd._udp.${multicastDomain}`;

/** A service that we announce: its names, and the records that say where it is (RFC 6763 sections 4 to 9). */
export class OwnService {
  private number = 1;
  private readonly base: string;
  private txt: Readonly<Record<string, string>>;

  /** @throws WhitelineError BAD_INPUT for a name or a text that DNS cannot carry */
  constructor(
    private readonly announcement: Announcement,
    private readonly host: string,
  ) {
    // A dot would end the label where the name is coded.
    this.base = announcement.instance.replaceAll('.', '-');
    labelBytes(this.base, 'instance');
    this.txt = checkedTxt(announcement.txt);
  }

  /** As it is called now, without its type. */
  get instance(): string {
    return this.number === 1 ? this.base : withEnding(this.base, ` (${this.number})`);
  }

  get typeName(): string {
    return `${this.announcement.type}.${multicastDomain}`;
  }

  get name(): string {
    return `${this.instance}.${this.typeName}`;
  }

  /** Names that are ours alone, once they are claimed. */
  get claimedNames(): string[] {
    return [this.name, this.host];
  }

  takeNextName(): void {
    this.number++;
  }

  /** @throws WhitelineError BAD_INPUT for a text that DNS cannot carry */
  setTxt(txt: Readonly<Record<string, string>>): void {
    this.txt = checkedTxt(txt);
  }

  /** Those that are ours alone make others forget what they knew before. */
  records(address: string): ServiceRecord[] {
    const { typeName, name, host } = this;
    const shared = { ttlSeconds: otherTtlSeconds, isFlush: false };
    return [
      { ...shared, name: typeName, type: 'PTR', target: name },
      { ...shared, name: metaQuery, type: 'PTR', target: typeName },
      ...this.claim(),
      { name: host, ttlSeconds: hostTtlSeconds, isFlush: true, type: 'A', address },
    ];
  }

  /** Whether another says that it has our name: its service is at another host. */
  isTaken(records: readonly ServiceRecord[]): boolean {
    return records.some(
      (record) =>
        record.type === 'SRV' &&
        record.ttlSeconds > 0 &&
        sameName(record.name, this.name) &&
        !sameName(record.target, this.host),
    );
  }

  /** Whether another that probes for our name at the same time gets it, by what it is about to claim, RFC 6762 section 8.2. */
  yieldsTo(claims: readonly ServiceRecord[]): boolean {
    const theirs = claims.filter(({ name }) => sameName(name, this.name));
    return theirs.length > 0 && compareRecords(this.claim(), theirs) < 0;
  }

  private claim(): ServiceRecord[] {
    const { name, host: target } = this;
    const texts = Object.entries(this.txt).map(([key, value]) => `${key}=${value}`);
    return [
      {
        ...{ name, ttlSeconds: hostTtlSeconds, isFlush: true },
        ...{ type: 'SRV', target, port: this.announcement.port },
      },
      { name, ttlSeconds: otherTtlSeconds, isFlush: true, type: 'TXT', texts },
    ];
  }
}

/** Cut between characters, where it would be longer than a label. */
function withEnding(base: string, ending: string): string {
  const characters = [...base];
  while (Buffer.byteLength(characters.join('') + ending) > longestLabelBytes) characters.pop();
  return characters.join('') + ending;
}

/** @throws WhitelineError BAD_INPUT: a text has at most 255 bytes, RFC 6763 section 6.1 */
function checkedTxt(txt: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [key, value] of Object.entries(txt))
    if (Buffer.byteLength(`${key}=${value}`) > 255)
      throw badInput(`txt.${key}`, 'a key and value of at most 255 bytes', value);
  return txt;
}
