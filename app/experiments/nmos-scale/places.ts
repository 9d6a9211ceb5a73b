import { here, type Place } from '../../engine/tools/namespace';
import { addressOf, OwnNetwork } from './own-network';

/** Where nodes and own registries run, and what cuts the link between them. */
export interface Places {
  nodes: Place;
  /** Address of the nodes. */
  nodesHost: string;
  registries: readonly { place: Place; host: string }[];
  /** Null: there is no link of our own. */
  cut: ((isCut: boolean) => Promise<void>) | null;
  close(): Promise<void>;
}

const ownHost = '127.0.0.1';

/** @throws WhitelineError TOOL_FAILED where namespaces cannot be made */
export async function openPlaces(isOwnNetwork: boolean, registryCount: number): Promise<Places> {
  if (!isOwnNetwork) {
    const registries = Array.from({ length: registryCount }, () => ({ place: here, host: ownHost }));
    return { nodes: here, nodesHost: ownHost, registries, cut: null, close: async () => undefined };
  }
  const network = await OwnNetwork.create(registryCount);
  return {
    nodes: network.nodes,
    nodesHost: addressOf(0),
    registries: network.registries.map((place, index) => ({ place, host: addressOf(index + 1) })),
    cut: (isCut) => network.cut(isCut),
    close: () => network.close(),
  };
}
