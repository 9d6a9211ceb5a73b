import type { SeenResources, SeenType } from '../../../nmos/controller/resources';
import type { NmosResource } from '../../../protocol/nmos';
import { plainLine } from '../../../protocol/plain-text';

const longestText = 200;
const urn = /^urn:x-nmos:(transport|format):/;

const ofEach = { parentId: '', transport: '', format: '', senderId: null, isActive: false };

type Own = Partial<Omit<NmosResource, 'kind' | 'id' | 'label'>>;
const owns: { [Type in SeenType]: (resource: SeenResources[Type]) => Own } = {
  node: () => ({}),
  device: ({ nodeId }) => ({ parentId: nodeId }),
  sender: ({ deviceId, transport, isActive }) => ({
    parentId: deviceId,
    transport: short(transport),
    isActive,
  }),
  receiver: ({ deviceId, transport, format, senderId, isActive }) => ({
    ...{ parentId: deviceId, transport: short(transport), format: short(format), senderId, isActive },
  }),
};

/** A resource of a registry as a window shows it: strangers wrote its texts. */
export function shownResource<Type extends SeenType>(
  kind: Type,
  resource: SeenResources[Type],
): NmosResource {
  const { id, label } = resource;
  return { ...ofEach, ...owns[kind](resource), kind, id, label: plain(label) };
}

function short(text: string): string {
  return plain(text.replace(urn, ''));
}

function plain(text: string): string {
  const shown = plainLine(text.slice(0, longestText));
  return shown.length > longestText ? `${shown.slice(0, longestText)}…` : shown;
}
