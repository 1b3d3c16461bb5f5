import {
  Autocomplete,
  Button,
  Checkbox,
  Group,
  Popover,
  SegmentedControl,
  Select,
  type SelectProps,
  Stack,
} from '@mantine/core';
import { useMemo, useState } from 'react';
import {
  type Appearance,
  captionOf,
  type GraphStyle,
  type Layout,
  MAX_CAPTION,
  propertiesOf,
} from '../../../graph/appearance';
import { type DrawnGraph, type DrawnNode } from '../../../graph/exploration';
import { truncate } from '../../../kit/format';

interface ExploreBarProps {
  readonly graph: DrawnGraph;
  readonly style: GraphStyle;
  readonly appearance: Appearance;
  readonly onStyle: (change: Partial<GraphStyle>) => void;
  readonly onFind: (node: DrawnNode) => void;
  readonly onFit: () => void;
  readonly hiddenCount: number;
  readonly onShowHidden: () => void;
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
  /** Whether the next answer is added to the drawing. */
  readonly isKept: boolean;
  readonly onKeep: (isKept: boolean) => void;
}

const LAYOUTS: readonly { readonly value: Layout; readonly label: string }[] = [
  { value: 'force', label: 'Force' },
  { value: 'tree', label: 'Tree' },
  { value: 'circle', label: 'Circle' },
];
const MOST_FOUND = 20;

/** Finds a node, and changes the style of the drawing. */
export const ExploreBar = ({ graph, style, appearance, onStyle, onFind, onFit, ...rest }: ExploreBarProps) => {
  const { hiddenCount, onShowHidden, isTable, onTable, isKept, onKeep } = rest;
  const [text, setText] = useState('');
  const found = useMemo(() => findNodes(graph, style, text), [graph, style, text]);
  return (
    <Group gap="xs" mb={8}>
      <Autocomplete
        size="xs"
        aria-label="Find a node"
        placeholder="Find a node"
        value={text}
        onChange={setText}
        data={found.map(({ id }) => id)}
        filter={({ options }) => options}
        renderOption={({ option }) => {
          const node = found.find(({ id }) => id === option.value);
          return (
            <span>
              <bdi>{node && captionOf(node, style.captions[node.label])}</bdi> (
              <bdi>{truncate(option.value, MAX_CAPTION)}</bdi>)
            </span>
          );
        }}
        onOptionSubmit={(id) => {
          const node = found.find((one) => one.id === id);
          if (node !== undefined) onFind(node);
        }}
      />
      <SegmentedControl
        size="xs"
        aria-label="Layout"
        data={[...LAYOUTS]}
        value={style.layout}
        onChange={(value) => onStyle({ layout: value })}
      />
      <StyleMenu {...{ graph, style, appearance, onStyle }} />
      <Button size="compact-sm" variant="default" onClick={onFit}>
        Fit
      </Button>
      <Button size="compact-sm" variant="default" aria-pressed={isTable} onClick={() => onTable(!isTable)}>
        {isTable ? 'Drawing' : 'Rows'}
      </Button>
      <Checkbox
        size="xs"
        label="Add to the drawing"
        checked={isKept}
        onChange={({ currentTarget }) => onKeep(currentTarget.checked)}
      />
      {hiddenCount > 0 && (
        <Button size="compact-sm" variant="subtle" onClick={onShowHidden}>
          Show {hiddenCount} hidden
        </Button>
      )}
    </Group>
  );
};

const findNodes = (graph: DrawnGraph, { captions }: GraphStyle, text: string): readonly DrawnNode[] => {
  const wanted = text.trim().toLowerCase();
  const holds = (node: DrawnNode): boolean =>
    node.id.toLowerCase().includes(wanted) || captionOf(node, captions[node.label]).toLowerCase().includes(wanted);
  return graph.nodes.filter(holds).slice(0, MOST_FOUND);
};

type StyleProps = Pick<ExploreBarProps, 'graph' | 'style' | 'appearance' | 'onStyle'>;

interface ChoiceProps extends Omit<SelectProps, 'data'> {
  readonly data: readonly string[];
  readonly value: string | null;
}

/** A choice of a property, or of none; the chosen one is listed even if the graph does not have it. */
const Choice = ({ data, value, ...props }: ChoiceProps) => (
  <Select
    size="xs"
    clearable
    data={value === null || data.includes(value) ? data : [...data, value]}
    value={value}
    comboboxProps={{ withinPortal: false }}
    {...props}
  />
);

/** Colour and size by property; caption and colour of each label. */
const StyleMenu = ({ graph, style, appearance, onStyle }: StyleProps) => {
  const properties = useMemo(() => [...propertiesOf(graph.nodes)], [graph]);
  const labels = useMemo(() => [...new Set(graph.nodes.map(({ label }) => label))].sort(), [graph]);
  const names = properties.map(([name]) => name);
  const numbers = properties.flatMap(([name, isNumber]) => (isNumber ? [name] : []));
  return (
    <Popover width={300} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button size="compact-sm" variant="default">
          Style
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="style-menu">
        <Stack gap="xs">
          <Choice
            label="Colour by"
            placeholder="Label"
            data={names}
            value={style.colourBy}
            onChange={(colourBy) => onStyle({ colourBy })}
          />
          <Choice
            label="Size by"
            placeholder="Same size"
            data={numbers}
            value={style.sizeBy}
            onChange={(sizeBy) => onStyle({ sizeBy })}
          />
          {labels.map((label) => (
            <LabelStyle key={label} {...{ label, graph, style, appearance, onStyle }} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};

/** Caption and colour of a label. */
const LabelStyle = ({ label, graph, style, appearance, onStyle }: StyleProps & { readonly label: string }) => (
  <Group gap="xs" wrap="nowrap" align="end">
    <Choice
      flex={1}
      label={`Caption of ${truncate(label, MAX_CAPTION)}`}
      placeholder="Name or key"
      data={[...propertiesOf(graph.nodes.filter((node) => node.label === label)).keys()]}
      value={style.captions[label] || null}
      onChange={(name) => onStyle({ captions: { ...style.captions, [label]: name ?? '' } })}
    />
    <input
      type="color"
      className="swatch"
      aria-label={`Colour of ${truncate(label, MAX_CAPTION)}`}
      value={style.colours[label] ?? appearance.legend.find(({ key }) => key === label)?.colour ?? '#868e96'}
      onChange={({ currentTarget }) => onStyle({ colours: { ...style.colours, [label]: currentTarget.value } })}
    />
  </Group>
);
