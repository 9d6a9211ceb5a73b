import type { NmosMessage, NmosResource, NmosView } from '../../app/protocol/nmos';

/**
 * A registry with `nodes` nodes, each with a device, a sender and a receiver. Every third receiver is connected, some others to something
 * that the registry does not list, and every fifth sender is off.
 */
export function nmosMessage(nodes: number, view: Partial<NmosView> = {}): NmosMessage {
  const numbers = Array.from({ length: nodes }, (_, number) => number);
  const chosen = nodes === 0 ? null : { ...registry, state: 'live' as const };
  return {
    ...{ type: 'nmos', generation: nodes, removed: [] },
    view: { ...emptyView, chosen, ...view },
    changed: numbers.flatMap((number) => resourcesOf(number, nodes)),
  };
}

const registry = {
  ...{ url: 'http://192.0.2.7:8010', reason: null, version: 'v1.3' },
  ...{ syncedMs: 412, leftOut: 0, leftOutFirst: null },
};

const emptyView: NmosView = {
  ...{ isPaused: false, discoveryProblem: null, chosen: null, patches: [], examination: null },
  registries: [
    {
      ...{ url: registry.url, names: ['nmos-registry on rack-04'], priority: 10, answer: { is: 'there' } },
      apis: [
        { name: 'registration', versions: ['v1.2', 'v1.3'] },
        { name: 'query', versions: ['v1.2', 'v1.3'] },
        { name: 'system', versions: ['v1.0'] },
      ],
    },
    {
      ...{ url: 'http://192.0.2.8:8010', names: ['nmos-registry on rack-05'], priority: 20 },
      answer: { is: 'silent', reason: 'connection refused, nothing listens on that port' },
      apis: [{ name: 'query', versions: ['v1.3'] }],
    },
  ],
};

function resourcesOf(number: number, nodes: number): NmosResource[] {
  const id = (kind: number): string =>
    `${String(number).padStart(8, '0')}-0000-4000-8000-${String(kind).padStart(12, '0')}`;
  const sender = (of: number): string =>
    `${String(of).padStart(8, '0')}-0000-4000-8000-${'2'.padStart(12, '0')}`;
  const none = { transport: '', format: '', senderId: null, isActive: false };
  const transport = 'rtp.mcast';
  const senderId = number % 3 === 0 ? sender((number * 7) % nodes) : null;
  return [
    { ...none, kind: 'node', id: id(0), label: `Gateway ${number + 1}`, parentId: '' },
    { ...none, kind: 'device', id: id(1), label: `Card ${number + 1}`, parentId: id(0) },
    {
      ...none,
      kind: 'sender',
      id: id(2),
      label: `Camera ${number + 1} video`,
      parentId: id(1),
      transport,
      isActive: number % 5 !== 4,
    },
    {
      ...{
        kind: 'receiver',
        id: id(3),
        label: `Monitor ${number + 1} of wall ${(number % 40) + 1}`,
        parentId: id(1),
      },
      ...{ transport, format: 'video', senderId, isActive: senderId !== null || number % 7 === 1 },
    },
  ];
}
