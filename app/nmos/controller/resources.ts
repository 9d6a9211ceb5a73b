/** What a controller uses of the resources of IS-04 v1.2 and v1.3, whatever else is in them. */

export const seenTypes = ['node', 'device', 'sender', 'receiver'] as const;
export type SeenType = (typeof seenTypes)[number];

export interface Seen {
  id: string;
  /** TAI, `<seconds>:<nanoseconds>`. */
  version: string;
  /** Any characters; at most 1,000. */
  label: string;
}

export type SeenNode = Seen;

export interface SeenDevice extends Seen {
  nodeId: string;
  /** APIs of the device; those of HTTP and HTTPS. */
  controls: readonly { type: string; href: string }[];
}

export interface SeenSender extends Seen {
  deviceId: string;
  transport: string;
  /** Of its transport file; null if it has none. */
  manifestHref: string | null;
  isActive: boolean;
  /** Of the one receiver to which it sends by unicast. */
  receiverId: string | null;
}

export interface SeenReceiver extends Seen {
  deviceId: string;
  transport: string;
  /** For example urn:x-nmos:format:video. */
  format: string;
  isActive: boolean;
  /** Null also for one that is connected to something that is no NMOS sender. */
  senderId: string | null;
}

export interface SeenResources {
  node: SeenNode;
  device: SeenDevice;
  sender: SeenSender;
  receiver: SeenReceiver;
}

const idPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const versionPattern = /^\d{1,30}:\d{1,30}$/;
const longestText = 1000;
const longestUrl = 2000;
const mostControls = 50;

type Fields = Readonly<Record<string, unknown>>;

/** Reads one. Returns why not, where an identifier is wrong; what else is wrong or missing is as if it were empty. */
export function readSeen<Type extends SeenType>(type: Type, value: unknown): SeenResources[Type] | string {
  if (!isFields(value)) return 'not an object';
  const { id, version } = value;
  if (!isId(id)) return 'id is not a UUID';
  if (typeof version !== 'string' || !versionPattern.test(version))
    return 'version is not <seconds>:<nanoseconds>';
  return readers[type]({ id, version, label: textOf(value.label) }, value);
}

type Reader<Type extends SeenType> = (core: Seen, fields: Fields) => SeenResources[Type] | string;

const readers: { [Type in SeenType]: Reader<Type> } = {
  node: (core) => core,
  device: (core, { node_id: nodeId, controls }) =>
    isId(nodeId) ? { ...core, nodeId, controls: controlsOf(controls) } : 'node_id is not a UUID',
  sender: (core, fields) => {
    const { device_id: deviceId, transport, manifest_href } = fields;
    if (!isId(deviceId)) return 'device_id is not a UUID';
    const { isActive, peerId: receiverId } = subscriptionOf(fields, 'receiver_id');
    const manifestHref = typeof manifest_href === 'string' && isWeb(manifest_href) ? manifest_href : null;
    return { ...core, deviceId, transport: textOf(transport), manifestHref, isActive, receiverId };
  },
  receiver: (core, fields) => {
    const { device_id: deviceId, transport, format } = fields;
    if (!isId(deviceId)) return 'device_id is not a UUID';
    const { isActive, peerId: senderId } = subscriptionOf(fields, 'sender_id');
    const texts = { transport: textOf(transport), format: textOf(format) };
    return { ...core, deviceId, ...texts, isActive, senderId };
  },
};

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && idPattern.test(value);
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  // A part of a text would keep all of it in memory: it is copied.
  return value.length > longestText ? Buffer.from(value.slice(0, longestText)).toString() : value;
}

/** Characters of all its texts. */
export function lengthOf(resource: object): number {
  return Object.values(resource).reduce((sum: number, value: unknown) => {
    if (typeof value === 'string') return sum + value.length;
    return typeof value === 'object' && value !== null ? sum + lengthOf(value) : sum;
  }, 0);
}

/** One of HTTP or HTTPS. */
function isWeb(href: string): boolean {
  if (href.length > longestUrl) return false;
  try {
    return /^https?:$/.test(new URL(href).protocol);
  } catch {
    return false;
  }
}

function controlsOf(value: unknown): SeenDevice['controls'] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostControls).flatMap((control: unknown) => {
    if (!isFields(control)) return [];
    const { type, href } = control;
    return typeof href === 'string' && isWeb(href) ? [{ type: textOf(type), href }] : [];
  });
}

function subscriptionOf({ subscription }: Fields, key: string): { isActive: boolean; peerId: string | null } {
  if (!isFields(subscription)) return { isActive: false, peerId: null };
  const peerId = subscription[key];
  return { isActive: subscription.active === true, peerId: isId(peerId) ? peerId : null };
}
