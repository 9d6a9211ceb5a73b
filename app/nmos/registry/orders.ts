import { pluralOf, type Resource, type ResourceType, resourceTypes } from './resource';

/** The resources of each type in the two orders of paging. */
export class Orders {
  private readonly ofTypes = new Map(
    resourceTypes.map((type) => [type, { create: new Order(), update: new Order() }]),
  );

  of(type: ResourceType): { create: Order; update: Order } {
    const orders = this.ofTypes.get(type);
    if (!orders) throw new Error(`There are no ${pluralOf(type)} in a registry`);
    return orders;
  }
}

/** Resources in the order in which they were last put at its end. */
class Order {
  private readonly members = new Set<Resource>();
  private listed: readonly Resource[] | null = null;

  get size(): number {
    return this.members.size;
  }

  get list(): readonly Resource[] {
    this.listed ??= [...this.members];
    return this.listed;
  }

  /** One after the other, also those that come until the last was asked for, and without those that go before their turn. */
  each(): Iterator<Resource> {
    return this.members.values();
  }

  toEnd(resource: Resource): void {
    this.members.delete(resource);
    this.members.add(resource);
    this.listed = null;
  }

  delete(resource: Resource): void {
    this.members.delete(resource);
    this.listed = null;
  }
}
