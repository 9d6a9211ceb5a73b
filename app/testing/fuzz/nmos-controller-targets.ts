import { readGrain } from '../../nmos/controller/grain';
import { readPages } from '../../nmos/controller/pages';
import { seenTypes } from '../../nmos/controller/resources';
import { nmosNode } from '../nmos-resources';
import { SimulatedClock } from '../simulated-clock';
import { mutated } from './mutate';
import { type FuzzTarget, isToolFailure, never, ofTexts, ofValues, target } from './target';

/** What a registry sends to a controller, behind HTTP and WebSocket. */

const collection = 'http://192.0.2.7:8010/x-nmos/query/v1.3/senders';
const query = { origin: 'http://192.0.2.7:8010', version: 'v1.3' } as const;
const ids = [1, 2, 3];

/** Reads a collection whose first page is this one, and whose second is empty. */
function readPage(body: unknown, headers: Record<string, string>): Promise<unknown> {
  const pages = [body];
  const ask = async () => {
    const page = pages.length > 0 ? pages.pop() : [];
    const text = JSON.stringify(page) ?? '';
    return { ...{ body: page, headers, status: 200, text }, bytes: text.length };
  };
  return readPages({
    client: { ask },
    clock: new SimulatedClock(),
    query,
    type: 'sender',
    mostResources: 100,
  });
}

const messages = seenTypes.map((type) => ({
  ...{ grain_type: 'event', source_id: nmosNode(1).source.id, flow_id: nmosNode(1).flow.id },
  grain: {
    ...{ type: 'urn:x-nmos:format:data.event', topic: `/${type}s/` },
    data: ids.flatMap((number) => {
      const { id: path, ...others } = nmosNode(number)[type];
      const resource = { id: path, ...others };
      return [
        { path, pre: resource, post: resource },
        { path, pre: resource },
        { path, post: resource },
      ];
    }),
  },
}));

export const nmosControllerTargets: FuzzTarget[] = [
  target(
    'NMOS messages of a subscription',
    messages,
    mutated,
    (message) => {
      const leftOut = { count: 0, first: null };
      return seenTypes.map((type) => readGrain(JSON.stringify(message) ?? '', type, leftOut));
    },
    never,
  ),
  ofValues(
    'NMOS pages',
    [ids.map((number) => nmosNode(number).sender)],
    (body) => readPage(body, {}),
    isToolFailure,
  ),
  ofTexts(
    'NMOS links between pages',
    [
      `<${collection}?paging.since=1441700172:318426300>; rel="next", <${collection}>; rel="prev"`,
      `<${collection}?paging.since=0:0>; title="a,b"; rel="first next"`,
      '<?paging.since=1:0>;rel=next',
    ],
    (link) => readPage([nmosNode(1).sender], { link }),
    isToolFailure,
  ),
];
