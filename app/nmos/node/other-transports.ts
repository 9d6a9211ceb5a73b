import type { EndpointKind, EndpointPlace, Leg, Transport } from './transport';

export interface MqttBroker {
  host: string;
  port: number;
  isSecure: boolean;
  needsAuthorization: boolean;
}

/**
 * MQTT, whose broker is the same for all. Source: IS-05 v1.1 Behaviour: MQTT Transport Type.
 * @param broker what `auto` stands for; null: nothing is known of one, and `auto` cannot be resolved
 */
export function mqttTransport(broker: MqttBroker | null): Transport {
  const ofHost = (host: string, port: string, schema: string): EndpointKind => ({
    schema,
    legs: 1,
    constraints: () => ({
      ...{ [host]: {}, [port]: {}, broker_protocol: {}, broker_authorization: {} },
      ...{ broker_topic: {}, connection_status_broker_topic: {} },
    }),
    initial: () => ({
      ...{ [host]: broker === null ? null : 'auto', [port]: broker === null ? 1883 : 'auto' },
      broker_protocol: broker === null ? 'mqtt' : 'auto',
      broker_authorization: broker === null ? false : 'auto',
      ...{ broker_topic: null, connection_status_broker_topic: null },
    }),
    resolve: (leg) => {
      const isAuto = Object.values(leg).includes('auto');
      if (broker === null && isAuto) throw new Error('no MQTT broker is configured for "auto"');
      if (broker === null) return leg;
      return replaceAuto(leg, {
        ...{ [host]: broker.host, [port]: broker.port },
        broker_protocol: broker.isSecure ? 'secure-mqtt' : 'mqtt',
        broker_authorization: broker.needsAuthorization,
      });
    },
  });
  return {
    urn: 'urn:x-nmos:transport:mqtt',
    sender: {
      ...ofHost('destination_host', 'destination_port', 'sender_transport_params_mqtt'),
      ...{ file: null, sendsToOne: () => false },
    },
    receiver: { ...ofHost('source_host', 'source_port', 'receiver_transport_params_mqtt'), readFile: null },
  };
}

/**
 * WebSocket, where receivers fetch. Source: IS-05 v1.1 Behaviour: WebSocket Transport Type.
 * @param uriOf where a sender of ours is connected to
 */
export function webSocketTransport(uriOf: (place: EndpointPlace) => string): Transport {
  const kind = (schema: string, uri: string | null): EndpointKind => ({
    schema,
    legs: 1,
    constraints: () => ({ connection_uri: {}, connection_authorization: {} }),
    initial: () => ({ connection_uri: uri, connection_authorization: 'auto' }),
    resolve: (leg, place) =>
      replaceAuto(leg, { connection_uri: uriOf(place), connection_authorization: false }),
  });
  return {
    urn: 'urn:x-nmos:transport:websocket',
    sender: { ...kind('sender_transport_params_websocket', 'auto'), file: null, sendsToOne: () => false },
    receiver: { ...kind('receiver_transport_params_websocket', null), readFile: null },
  };
}

function replaceAuto(leg: Leg, values: Leg): Leg {
  return Object.fromEntries(
    Object.entries(leg).map(([name, value]) => [name, value === 'auto' ? (values[name] ?? value) : value]),
  );
}
