/** The SDK's own names for the folder's variable and for the file in it. */
export const ndiConfigurationVariable = 'NDI_CONFIG_DIR';
export const ndiConfigurationFile = 'ndi-config.v1.json';

/** What is set in place of the machine's own; empty: that stays. */
export interface NdiNetwork {
  discoveryServers?: readonly string[];
  /** Groups that Whiteline sends in and searches. */
  groups?: readonly string[];
  /** Of this machine, by which NDI sends, receives and is found. */
  addresses?: readonly string[];
}

type Configuration = Record<string, unknown>;

/** A configuration of NDI as its file has it. `own`: the machine's; what libndi could not read either counts as none. */
export function ndiConfigurationWith(
  own: string | null,
  { discoveryServers = [], groups = [], addresses = [] }: NdiNetwork,
): string {
  const whole = read(own ?? '');
  const ndi = part(whole, 'ndi');
  const of = (name: string, set: Configuration, isSet: boolean) =>
    isSet && { [name]: { ...part(ndi, name), ...set } };
  const inGroups = groups.join(',');
  return JSON.stringify(
    {
      ...whole,
      ndi: {
        ...ndi,
        ...of('networks', { discovery: discoveryServers.join(',') }, discoveryServers.length > 0),
        ...of('groups', { send: inGroups, recv: inGroups }, groups.length > 0),
        ...of('adapters', { allowed: addresses }, addresses.length > 0),
      },
    },
    null,
    2,
  );
}

function read(text: string): Configuration {
  try {
    return asConfiguration(JSON.parse(text));
  } catch {
    return {};
  }
}

function part(whole: Configuration, name: string): Configuration {
  return asConfiguration(whole[name]);
}

function asConfiguration(value: unknown): Configuration {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
