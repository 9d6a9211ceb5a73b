import { create } from 'zustand';
import type { NmosKind, NmosMessage, NmosResource, NmosView } from '../../app/protocol/nmos';
import { ResourceBook } from './resource-book';

export type NmosPart = 'crosspoints' | 'resources' | 'doctor';

interface NmosState {
  /** Null until the engine has answered. */
  view: NmosView | null;
  /** All that `book` holds, in the order of their labels. */
  lists: Readonly<Record<NmosKind, readonly NmosResource[]>>;
  part: NmosPart;
  /** As typed. */
  url: string;
  receivers: string;
  senders: string;
  resources: string;
  kind: NmosKind;
  dnsServer: string;
  domain: string;
  /** What is wrong with what was typed last, by field. */
  problems: Partial<Record<string, string>>;
  /** A connection that waits for the operator's word; `senderId` null: to none. */
  asked: { receiverId: string; senderId: string | null } | null;
}

export const book = new ResourceBook();

export const useNmos = create<NmosState>(() => ({
  view: null,
  lists: listsOf(book),
  part: 'crosspoints',
  url: '',
  receivers: '',
  senders: '',
  resources: '',
  kind: 'node',
  dnsServer: '',
  domain: '',
  problems: {},
  asked: null,
}));

export function noteNmos({ view, ...message }: NmosMessage): void {
  const hasChanged = book.take(message);
  useNmos.setState(({ lists, asked }) => ({
    view,
    lists: hasChanged ? listsOf(book) : lists,
    asked: asked && stillThere(asked) ? asked : null,
  }));
}

/** Nothing comes any more: what was shown would soon be old. */
export function forgetNmos(): void {
  book.take({ generation: -1, changed: [], removed: [] });
  useNmos.setState({ view: null, lists: listsOf(book), asked: null });
}

/** A registry may lose what was about to be connected. */
function stillThere({ receiverId, senderId }: NonNullable<NmosState['asked']>): boolean {
  const isSenderThere = senderId === null || book.get('sender', senderId) !== undefined;
  return isSenderThere && book.get('receiver', receiverId) !== undefined;
}

function listsOf(held: ResourceBook): NmosState['lists'] {
  const [node, device] = [held.list('node'), held.list('device')];
  return { node, device, sender: held.list('sender'), receiver: held.list('receiver') };
}
