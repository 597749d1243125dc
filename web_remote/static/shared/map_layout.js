// @ts-check
/** Where things are on the map: what `map.json` says, and how several things share a line or a space. */

/** @typedef {[number, number]} Point */

/**
 * Where things are in a place. A tile covers the printed values; lights are spread along a line, however many a board
 * has. The King and Grandes never stand in the castillo; only it has a gate.
 * @typedef {object} PlaceGeometry
 * @property {Point[]} outline
 * @property {Point} label
 * @property {Point} tile
 * @property {Point | null} king
 * @property {Point | null} grande
 * @property {Point} button
 * @property {Point | null} kingLight
 * @property {Record<string, Point>} pieces
 * @property {Point[]} lights
 * @property {Point} [gate]
 */

/**
 * What `map.json` holds.
 * @typedef {object} Geometry
 * @property {[number, number, number, number]} viewBox
 * @property {Record<"piece" | "grande" | "king" | "button" | "light" | "label", number> & {tile: Point}} sizes
 * @property {Point} compass
 * @property {Point[][]} lands that are not in the game
 * @property {Record<string, PlaceGeometry>} places
 */

/** How far a name stays from the border. */
const EDGE = 8;

/**
 * Returns this many points, evenly spaced along a line of points.
 * @param {Point[]} line
 * @param {number} count
 * @returns {Point[]}
 */
export function spread(line, count) {
  const lengths = line.slice(1).map(([x, y], index) => Math.hypot(x - line[index][0], y - line[index][1]));
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  return Array.from({ length: count }, (_, number) => {
    let rest = count === 1 ? whole / 2 : (whole * number) / (count - 1);
    let leg = 0;
    while (leg < lengths.length - 1 && rest > lengths[leg]) rest -= lengths[leg++];
    const [[x, y], [toX, toY]] = [line[leg], line[leg + 1]];
    const share = lengths[leg] ? rest / lengths[leg] : 0;
    return [x + (toX - x) * share, y + (toY - y) * share];
  });
}

/** Returns an outline as the `d` of a path. @param {Point[]} points */
export function closed(points) {
  return `M${points.map((point) => point.join(" ")).join("L")}Z`;
}

/**
 * Returns how wide a text centred on a point may be inside an outline.
 * @param {Point[]} outline
 * @param {Point} middle
 */
export function room(outline, [x, y]) {
  const edges = outline.flatMap(([aX, aY], index) => {
    const [bX, bY] = outline[(index + 1) % outline.length];
    return aY > y === bY > y ? [] : [Math.abs(aX + ((y - aY) / (bY - aY)) * (bX - aX) - x)];
  });
  return 2 * (Math.min(...edges) - EDGE);
}

/** @param {Point} point */
export function to([x, y]) {
  return `translate(${x} ${y})`;
}

/**
 * How several Grandes share the space of two: their scale, and where each stands, in sizes of a Grande. Only two cards
 * move one, so no more than three ever meet; if more did, they would still be distinguishable.
 * @type {Record<number, {scale: number, spots: Point[]}>}
 */
// prettier-ignore
const TOGETHER = {
  1: { scale: 1, spots: [[0, 0]] },
  2: { scale: 1, spots: [[-0.535, 0], [0.535, 0]] },
  3: { scale: 0.62, spots: [[-0.7, 0], [0, 0], [0.7, 0]] },
  4: { scale: 0.48, spots: [[-0.32, -0.28], [0.32, -0.28], [-0.32, 0.28], [0.32, 0.28]] },
  5: { scale: 0.48, spots: [[-0.6, -0.27], [0, -0.27], [0.6, -0.27], [-0.3, 0.27], [0.3, 0.27]] },
};

/**
 * Returns where one of several Grandes stands in their space, and at what scale.
 * @param {Point} middle of the space
 * @param {number} index
 * @param {number} count
 * @param {number} size
 * @returns {{point: Point, scale: number}}
 */
export function together([x, y], index, count, size) {
  const { scale, spots } = TOGETHER[count];
  const [across, down] = spots[index];
  return { point: [x + across * size, y + down * size], scale };
}
