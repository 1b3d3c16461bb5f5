/** The operation that explains the resources of a kind. */
export const EXPLAINED_BY = {
  mapping: 'explainMapping',
  snapshot: 'explainSnapshot',
  instance: 'explainInstance',
  export_job: 'explainExportJob',
} as const;

interface ExplainedResource {
  readonly type: keyof typeof EXPLAINED_BY;
  readonly id: number;
}

/** The resource whose causes contain those of an event; null: the event follows from a request alone. */
export const explainedResource = (event: {
  readonly resource_type: string;
  readonly resource_id: string;
}): ExplainedResource | null => {
  // A process serves one resource, whose id its own contains.
  const [, type = event.resource_type, id = event.resource_id] =
    /^(instance|snapshot)_[a-z]+-(\d+)$/.exec(event.resource_id) ?? [];
  return isExplained(type) ? { type, id: Number(id) } : null;
};

const isExplained = (type: string): type is keyof typeof EXPLAINED_BY => Object.hasOwn(EXPLAINED_BY, type);

interface Tree<T> {
  readonly event_id: string;
  readonly children: readonly T[];
}

/** The causes of one event in a tree, from the request to the event; empty if the tree does not contain it. */
export const causesOfEvent = <T extends Tree<T>>(tree: T, eventId: string): readonly T[] => {
  if (tree.event_id === eventId) return [tree];
  for (const child of tree.children) {
    const causes = causesOfEvent(child, eventId);
    if (causes.length > 0) return [tree, ...causes];
  }
  return [];
};
