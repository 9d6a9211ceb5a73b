import { badInput } from '../../protocol/errors';
import type { FanOutMessageOf } from './fan-out-program';

export type Card = FanOutMessageOf<'card'>;

/** A machine and the cards by which others may reach it. */
interface WithCards {
  name: string;
  cards: readonly Card[];
}

/**
 * One card of each machine, that of the publisher first, all in one network: discovery of DDS does not leave it.
 * @throws WhitelineError BAD_INPUT naming the machines
 */
export function cardsOfOneNetwork(publisher: WithCards, subscribers: readonly WithCards[]): Card[] {
  for (const card of publisher.cards) {
    const others = subscribers.flatMap(({ cards }) => cards.find((other) => areTogether(card, other)) ?? []);
    if (others.length === subscribers.length) return [card, ...others];
  }
  const all = [publisher, ...subscribers].map(
    ({ name, cards }) => `${name} (${cards.map(placeText).join(', ') || 'no card'})`,
  );
  throw badInput(
    'receiveOn',
    'machines that have a card in one IPv4 network with multicast',
    all.join('; '),
    'Connect them to one switch: DDS discovery does not go through routers',
  );
}

/** A bridge for containers has the same address on every machine. */
function areTogether(one: Card, other: Card): boolean {
  return (
    one.prefixBits === other.prefixBits &&
    one.address !== other.address &&
    networkOf(one) === networkOf(other)
  );
}

function networkOf({ address, prefixBits }: Card): number {
  const number = address.split('.').reduce((sum, part) => 256 * sum + Number(part), 0);
  return Math.floor(number / 2 ** (32 - prefixBits));
}

export function placeText({ name, address, prefixBits }: Card): string {
  return `${name} ${address}/${prefixBits}`;
}
