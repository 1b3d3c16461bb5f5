/** Title | year | genres | directors | actor: character; … */
const FILMS = `
Casablanca | 1942 | Drama, Romance | Michael Curtiz | Humphrey Bogart: Rick Blaine; Ingrid Bergman: Ilsa Lund; Paul Henreid: Victor Laszlo; Claude Rains: Louis Renault
Notorious | 1946 | Thriller, Romance | Alfred Hitchcock | Cary Grant: T. R. Devlin; Ingrid Bergman: Alicia Huberman; Claude Rains: Alexander Sebastian
Rashomon | 1950 | Crime, Drama | Akira Kurosawa | Toshiro Mifune: Tajomaru; Machiko Kyo: The wife; Takashi Shimura: The woodcutter
Sunset Boulevard | 1950 | Drama | Billy Wilder | Gloria Swanson: Norma Desmond; William Holden: Joe Gillis; Erich von Stroheim: Max von Mayerling
Roman Holiday | 1953 | Comedy, Romance | William Wyler | Audrey Hepburn: Princess Ann; Gregory Peck: Joe Bradley; Eddie Albert: Irving Radovich
Rear Window | 1954 | Thriller, Mystery | Alfred Hitchcock | James Stewart: L. B. Jefferies; Grace Kelly: Lisa Fremont; Thelma Ritter: Stella
Seven Samurai | 1954 | Adventure, Drama | Akira Kurosawa | Toshiro Mifune: Kikuchiyo; Takashi Shimura: Kambei Shimada
Vertigo | 1958 | Thriller, Mystery | Alfred Hitchcock | James Stewart: John Ferguson; Kim Novak: Judy Barton; Barbara Bel Geddes: Midge Wood
North by Northwest | 1959 | Thriller, Adventure | Alfred Hitchcock | Cary Grant: Roger Thornhill; Eva Marie Saint: Eve Kendall; James Mason: Phillip Vandamm
Some Like It Hot | 1959 | Comedy | Billy Wilder | Marilyn Monroe: Sugar Kane; Tony Curtis: Joe; Jack Lemmon: Jerry
Psycho | 1960 | Horror, Thriller | Alfred Hitchcock | Anthony Perkins: Norman Bates; Janet Leigh: Marion Crane; Vera Miles: Lila Crane
The Apartment | 1960 | Comedy, Drama | Billy Wilder | Jack Lemmon: C. C. Baxter; Shirley MacLaine: Fran Kubelik; Fred MacMurray: Jeff Sheldrake
Breakfast at Tiffany's | 1961 | Comedy, Romance | Blake Edwards | Audrey Hepburn: Holly Golightly; George Peppard: Paul Varjak
Lawrence of Arabia | 1962 | Adventure, Drama | David Lean | Peter O'Toole: T. E. Lawrence; Alec Guinness: Prince Faisal; Omar Sharif: Sherif Ali
To Kill a Mockingbird | 1962 | Drama | Robert Mulligan | Gregory Peck: Atticus Finch; Mary Badham: Scout Finch; Robert Duvall: Boo Radley
The Godfather | 1972 | Crime, Drama | Francis Ford Coppola | Marlon Brando: Vito Corleone; Al Pacino: Michael Corleone; James Caan: Sonny Corleone; Robert Duvall: Tom Hagen; Diane Keaton: Kay Adams
Chinatown | 1974 | Mystery, Crime | Roman Polanski | Jack Nicholson: Jake Gittes; Faye Dunaway: Evelyn Mulwray; John Huston: Noah Cross
The Godfather Part II | 1974 | Crime, Drama | Francis Ford Coppola | Al Pacino: Michael Corleone; Robert De Niro: Vito Corleone; Robert Duvall: Tom Hagen; Diane Keaton: Kay Adams
Taxi Driver | 1976 | Crime, Drama | Martin Scorsese | Robert De Niro: Travis Bickle; Jodie Foster: Iris; Harvey Keitel: Sport
Annie Hall | 1977 | Comedy, Romance | Woody Allen | Woody Allen: Alvy Singer; Diane Keaton: Annie Hall
Star Wars | 1977 | Science Fiction, Adventure | George Lucas | Mark Hamill: Luke Skywalker; Harrison Ford: Han Solo; Carrie Fisher: Leia Organa; Alec Guinness: Obi-Wan Kenobi
Alien | 1979 | Science Fiction, Horror | Ridley Scott | Sigourney Weaver: Ellen Ripley; John Hurt: Kane; Ian Holm: Ash
Apocalypse Now | 1979 | War, Drama | Francis Ford Coppola | Martin Sheen: Benjamin Willard; Marlon Brando: Walter Kurtz; Robert Duvall: Bill Kilgore
Raging Bull | 1980 | Drama | Martin Scorsese | Robert De Niro: Jake LaMotta; Joe Pesci: Joey LaMotta; Cathy Moriarty: Vikki LaMotta
Raiders of the Lost Ark | 1981 | Adventure | Steven Spielberg | Harrison Ford: Indiana Jones; Karen Allen: Marion Ravenwood
Blade Runner | 1982 | Science Fiction, Thriller | Ridley Scott | Harrison Ford: Rick Deckard; Rutger Hauer: Roy Batty; Sean Young: Rachael
E.T. the Extra-Terrestrial | 1982 | Science Fiction, Adventure | Steven Spielberg | Henry Thomas: Elliott; Drew Barrymore: Gertie; Dee Wallace: Mary
Back to the Future | 1985 | Science Fiction, Comedy | Robert Zemeckis | Michael J. Fox: Marty McFly; Christopher Lloyd: Emmett Brown; Lea Thompson: Lorraine Baines
Goodfellas | 1990 | Crime, Drama | Martin Scorsese | Ray Liotta: Henry Hill; Robert De Niro: Jimmy Conway; Joe Pesci: Tommy DeVito
Terminator 2: Judgment Day | 1991 | Science Fiction, Adventure | James Cameron | Arnold Schwarzenegger: The Terminator; Linda Hamilton: Sarah Connor; Robert Patrick: T-1000
The Silence of the Lambs | 1991 | Thriller, Crime | Jonathan Demme | Jodie Foster: Clarice Starling; Anthony Hopkins: Hannibal Lecter; Scott Glenn: Jack Crawford
Jurassic Park | 1993 | Science Fiction, Adventure | Steven Spielberg | Sam Neill: Alan Grant; Laura Dern: Ellie Sattler; Jeff Goldblum: Ian Malcolm
Schindler's List | 1993 | War, Drama | Steven Spielberg | Liam Neeson: Oskar Schindler; Ben Kingsley: Itzhak Stern; Ralph Fiennes: Amon Göth
Forrest Gump | 1994 | Drama, Romance | Robert Zemeckis | Tom Hanks: Forrest Gump; Robin Wright: Jenny Curran; Gary Sinise: Dan Taylor
Pulp Fiction | 1994 | Crime | Quentin Tarantino | John Travolta: Vincent Vega; Samuel L. Jackson: Jules Winnfield; Uma Thurman: Mia Wallace; Bruce Willis: Butch Coolidge; Harvey Keitel: Winston Wolfe
Heat | 1995 | Crime, Thriller | Michael Mann | Al Pacino: Vincent Hanna; Robert De Niro: Neil McCauley; Val Kilmer: Chris Shiherlis
Fargo | 1996 | Crime, Comedy | Joel Coen | Frances McDormand: Marge Gunderson; William H. Macy: Jerry Lundegaard; Steve Buscemi: Carl Showalter
Titanic | 1997 | Romance, Drama | James Cameron | Leonardo DiCaprio: Jack Dawson; Kate Winslet: Rose DeWitt Bukater
Saving Private Ryan | 1998 | War, Drama | Steven Spielberg | Tom Hanks: John Miller; Matt Damon: James Ryan; Tom Sizemore: Mike Horvath
The Big Lebowski | 1998 | Comedy, Crime | Joel Coen | Jeff Bridges: The Dude; John Goodman: Walter Sobchak; Julianne Moore: Maude Lebowski; Steve Buscemi: Donny
The Matrix | 1999 | Science Fiction | Lana Wachowski, Lilly Wachowski | Keanu Reeves: Neo; Laurence Fishburne: Morpheus; Carrie-Anne Moss: Trinity
Gladiator | 2000 | Adventure, Drama | Ridley Scott | Russell Crowe: Maximus; Joaquin Phoenix: Commodus; Connie Nielsen: Lucilla
The Departed | 2006 | Crime, Thriller | Martin Scorsese | Leonardo DiCaprio: Billy Costigan; Matt Damon: Colin Sullivan; Jack Nicholson: Frank Costello
The Dark Knight | 2008 | Crime, Thriller | Christopher Nolan | Christian Bale: Bruce Wayne; Heath Ledger: Joker; Gary Oldman: James Gordon; Michael Caine: Alfred
Inception | 2010 | Science Fiction, Thriller | Christopher Nolan | Leonardo DiCaprio: Dom Cobb; Tom Hardy: Eames; Michael Caine: Stephen Miles
`;

interface Film {
  readonly title: string;
  readonly year: number;
  readonly genres: readonly string[];
  readonly directors: readonly string[];
  readonly cast: readonly { readonly actor: string; readonly character: string }[];
}

const parts = (text: string, separator: string): readonly string[] => text.split(separator).map((part) => part.trim());

const readFilm = (line: string): Film => {
  const [title = '', year = '', genres = '', directors = '', cast = ''] = parts(line, ' | ');
  return {
    title,
    year: Number(year),
    genres: parts(genres, ','),
    directors: parts(directors, ','),
    cast: parts(cast, ';').map((role) => {
      const [actor = '', character = ''] = parts(role, ': ');
      return { actor, character };
    }),
  };
};

/** Some well-known films, oldest first. */
export const FILM_CATALOGUE: readonly Film[] = FILMS.trim().split('\n').map(readFilm);
