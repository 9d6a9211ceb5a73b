import { here, type ProgramNetwork } from '../../engine/tools/namespace';
import { addressOf, OwnNetwork } from './own-network';

/** Where nodes and own registries run, and what cuts the link between them. */
export interface ScaleNetworks {
  nodes: ProgramNetwork;
  /** Address of the nodes. */
  nodesHost: string;
  registries: readonly { network: ProgramNetwork; host: string }[];
  /** Null: there is no link of our own. */
  cut: ((isCut: boolean) => Promise<void>) | null;
  close(): Promise<void>;
}

const ownHost = '127.0.0.1';

/** @throws WhitelineError TOOL_FAILED if namespaces cannot be made */
export async function openNetworks(isOwnNetwork: boolean, registryCount: number): Promise<ScaleNetworks> {
  if (!isOwnNetwork) {
    const registries = Array.from({ length: registryCount }, () => ({ network: here, host: ownHost }));
    return { nodes: here, nodesHost: ownHost, registries, cut: null, close: async () => undefined };
  }
  const own = await OwnNetwork.create(registryCount);
  return {
    nodes: own.nodes,
    nodesHost: addressOf(0),
    registries: own.registries.map((network, index) => ({ network, host: addressOf(index + 1) })),
    cut: (isCut) => own.cut(isCut),
    close: () => own.close(),
  };
}
